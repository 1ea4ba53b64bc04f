//! The names that a JavaScript or TypeScript file exports, read from oxc's syntax tree.
//!
//! An ECMAScript module exports what its module record says (ECMA-262, "Source Text Module Records").
//! A file without `import` and `export` is a CommonJS module if it assigns to `exports` or calls `require`, and
//! else a script, which gives all its names to everybody. Types are exports too, but not those of comments. A file with syntax errors is
//! read as far as it goes.

mod commonjs;
mod declared;
mod local;

use oxc_allocator::Allocator;
use oxc_ast::ast::Program;
use oxc_parser::Parser;
use oxc_span::SourceType;
use oxc_syntax::module_record::{
    ExportEntry, ExportExportName, ExportImportName, ExportLocalName, ImportImportName,
    ModuleRecord,
};

use self::local::Locals;
use super::module::{Binding, Module, Target};

/// Endings of files that can be meant by a path without one, and directories' own files.
const FOUND_BY: &str = " .ts .tsx .d.ts .mts .cts .js .jsx .mjs .cjs /index.ts /index.tsx /index.d.ts /index.js /index.mjs /index.cjs";

/// Endings that a TypeScript file's import names instead of the source's: the compiler's output.
const OUTPUTS: [(&str, &[&str]); 4] = [
    (".js", &[".ts", ".tsx", ".d.ts"]),
    (".jsx", &[".tsx", ".d.ts"]),
    (".mjs", &[".mts", ".d.mts"]),
    (".cjs", &[".cts", ".d.cts"]),
];

/// The exports of a file.
pub(super) fn module(path: &str, text: &str) -> Option<Module> {
    let goal = SourceType::from_path(path).ok()?;
    let allocator = Allocator::default();
    let mut parsed = Parser::new(&allocator, text, goal).parse();
    if parsed.diagnostics.has_errors() && goal.is_javascript() {
        // What a module must not hold, a script may: `with`, octal numbers, `await` as a name.
        let script = Parser::new(&allocator, text, goal.with_script(true)).parse();
        if !script.diagnostics.has_errors() {
            parsed = script;
        } else if parsed.program.body.is_empty() {
            // Flow's types are written as TypeScript's are.
            parsed = Parser::new(&allocator, text, goal.with_typescript(true)).parse();
        }
    }
    Some(read(path, &parsed.program, &parsed.module_record))
}

fn read(path: &str, program: &Program<'_>, record: &ModuleRecord<'_>) -> Module {
    let locals = Locals::of(path, program, record);
    let mut module = Module { members: locals.members.clone(), ..Module::default() };
    let is_typescript = program.source_type.is_typescript();
    if record.has_module_syntax || is_typescript && declared::is_module(program) {
        of_record(path, record, &locals, &mut module);
        declared::read(path, program, &locals, &mut module);
    } else if is_typescript || !commonjs::read(path, program, &locals, &mut module) {
        module.names = locals.names;
        module.parameters = locals.parameters;
        return module;
    }
    module.declared = Some(module.names.keys().cloned().collect());
    module
}

fn of_record(path: &str, record: &ModuleRecord<'_>, locals: &Locals<'_>, module: &mut Module) {
    let named = record.local_export_entries.iter();
    for entry in named.chain(&record.indirect_export_entries) {
        if let Some(name) = exported(entry) {
            module.bind(name, binding(path, entry, locals));
            if let Some(list) = parameters(entry, name, locals) {
                module.parameters.add(name, &list);
            }
        }
    }
    for entry in &record.star_export_entries {
        if let Some(request) = &entry.module_request {
            module.stars.push(targets(path, &request.name));
        }
    }
}

/// What an exported function of this file takes.
fn parameters(entry: &ExportEntry<'_>, name: &str, locals: &Locals<'_>) -> Option<String> {
    if entry.module_request.is_some() {
        return None;
    }
    let local = match &entry.local_name {
        ExportLocalName::Name(name) | ExportLocalName::Default(name) => name.name.as_str(),
        ExportLocalName::Null => name,
    };
    let lists = &locals.parameters;
    lists.of(local).or_else(|| lists.of("default").filter(|_| name == "default"))
}

fn exported<'e>(entry: &'e ExportEntry<'_>) -> Option<&'e str> {
    match &entry.export_name {
        ExportExportName::Name(name) => Some(name.name.as_str()),
        ExportExportName::Default(_) => Some("default"),
        ExportExportName::Null => None,
    }
}

fn binding(path: &str, entry: &ExportEntry<'_>, locals: &Locals<'_>) -> Binding {
    if let Some(request) = &entry.module_request {
        let name = match &entry.import_name {
            ExportImportName::Name(name) => Some(name.name.to_string()),
            _ => None,
        };
        return Binding::Imported { files: targets(path, &request.name), name };
    }
    match &entry.local_name {
        ExportLocalName::Name(name) | ExportLocalName::Default(name) => {
            locals.get(&name.name).unwrap_or(Binding::Value)
        }
        ExportLocalName::Null => Binding::Value,
    }
}

/// The import of a name, as it may be exported again.
fn imported(path: &str, request: &str, name: &ImportImportName<'_>) -> Binding {
    let name = match name {
        ImportImportName::Name(name) => Some(name.name.to_string()),
        ImportImportName::Default(_) => Some("default".to_owned()),
        ImportImportName::NamespaceObject => None,
    };
    Binding::Imported { files: targets(path, request), name }
}

/// The files that a relative path in an import may mean; none for a package.
fn targets(path: &str, request: &str) -> Vec<Target> {
    let Some(plain) = below(path, request) else {
        return Vec::new();
    };
    let sources = OUTPUTS.iter().find_map(|(output, sources)| {
        let stem = plain.strip_suffix(output)?;
        Some(sources.iter().map(move |source| format!("{stem}{source}")))
    });
    let found = FOUND_BY.split(' ').map(|ending| format!("{plain}{ending}"));
    let all = found.chain(sources.into_iter().flatten());
    all.map(Target::Path).collect()
}

/// A relative request from the file at `path`, as a path below the root.
fn below(path: &str, request: &str) -> Option<String> {
    if !(request.starts_with("./") || request.starts_with("../") || matches!(request, "." | "..")) {
        return None;
    }
    let mut parts: Vec<&str> = path.split('/').collect();
    parts.pop();
    for part in request.split('/') {
        match part {
            "." | "" => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::below;

    #[test]
    fn a_request_is_resolved_below_the_root() {
        for (request, path) in [
            ("./b", Some("src/b")),
            ("../b/c.js", Some("b/c.js")),
            (".", Some("src")),
            ("../../b", None),
            ("b", None),
            ("@a/b", None),
        ] {
            assert_eq!(below("src/a.ts", request).as_deref(), path, "{request}");
        }
    }
}
