//! Which files are the public face of a package, by their names.

/// Whether what a file passes on as a whole is part of its public names.
pub(super) fn is_public_face(path: &str) -> bool {
    is_followed(path) && (!is_python(path) || is_package(path))
}

/// Whether a file is Python's.
pub(super) fn is_python(path: &str) -> bool {
    [".py", ".pyi", ".pyw"].iter().any(|ending| path.ends_with(ending))
}

/// Whether files that this one passes on as a whole are read.
pub(super) fn is_followed(path: &str) -> bool {
    !path.ends_with(".rs") && !path.ends_with(".go")
}

/// Whether a path is that of a Python package's own file.
pub(super) fn is_package(path: &str) -> bool {
    matches!(path.rsplit('/').next(), Some("__init__.py" | "__init__.pyi"))
}
