//! Projects of build tools that go by times, for tests and sweeps of stale products.
//!
//! In each project the verify builds `stray.*`, and passes only on a product of the version that an agent made of
//! it.

/// A build tool in a project.
#[derive(Clone, Copy, Debug)]
pub struct BuildTool {
    /// Shows that it is there.
    pub probe: &'static str,
    /// Paths and contents.
    pub files: &'static [(&'static str, &'static str)],
    /// Builds, and passes where the product is of the stray version.
    pub verify: &'static str,
    /// Makes the stray version.
    pub stray: &'static str,
    /// The file of which it makes one.
    pub path: &'static str,
}

/// Present on every machine that builds this project.
pub const MAKE: BuildTool = BuildTool {
    probe: "make --version",
    files: &[
        ("Makefile", "target/out: stray.txt\n\tmkdir -p target\n\tcp stray.txt $@\n"),
        ("stray.txt", "first\n"),
    ],
    verify: "make -s && grep -q STRAY target/out",
    stray: "echo STRAY >> stray.txt",
    path: "stray.txt",
};

/// The others, each in its own project.
pub const OTHERS: &[BuildTool] = &[
    BuildTool {
        probe: "cargo --version",
        files: &[
            ("Cargo.toml", "[workspace]\nmembers = ['one', 'two']\nresolver = '2'\n"),
            ("one/Cargo.toml", "[package]\nname = 'one'\nedition = '2021'\n"),
            ("one/src/lib.rs", "pub const ONE: u8 = 1;\n"),
            (
                "two/Cargo.toml",
                "[package]\nname = 'two'\nedition = '2021'\n[dependencies]\none.path = '../one'\n",
            ),
            ("two/src/lib.rs", "#[test]\nfn it_is_stray() {\n    assert_eq!(one::ONE, 2);\n}\n"),
        ],
        verify: "cargo test --quiet --offline",
        stray: "sed -i 's/1;/2;/' one/src/lib.rs",
        path: "one/src/lib.rs",
    },
    BuildTool {
        probe: "ninja --version",
        files: &[
            (
                "build.ninja",
                "builddir = target\nrule copy\n  command = cp $in $out\nbuild target/out: copy stray.txt\n",
            ),
            ("stray.txt", "first\n"),
        ],
        verify: "ninja && grep -q STRAY target/out",
        stray: "echo STRAY >> stray.txt",
        path: "stray.txt",
    },
    BuildTool {
        probe: "python3 --version",
        files: &[("stray.py", "VALUE = 1\n"), ("__pycache__/.keep", "")],
        verify: "python3 -c 'import stray; assert stray.VALUE == 2'",
        stray: "echo 'VALUE = 2' > stray.py",
        path: "stray.py",
    },
    BuildTool {
        probe: "tsc --version",
        files: &[
            (
                "tsconfig.json",
                "{\"compilerOptions\": {\"incremental\": true, \"outDir\": \"target\"}, \
                 \"files\": [\"stray.ts\"]}\n",
            ),
            ("stray.ts", "export const value = 1;\n"),
        ],
        verify: "tsc && grep -q 2 target/stray.js",
        stray: "echo 'export const value = 2;' > stray.ts",
        path: "stray.ts",
    },
    BuildTool {
        probe: "go version",
        files: &[
            ("go.mod", "module stray\n"),
            ("stray.go", "package stray\n\nconst Value = 1\n"),
            (
                "stray_test.go",
                "package stray\n\nimport \"testing\"\n\nfunc TestStray(t *testing.T) {\n\
                 \tif Value != 2 {\n\t\tt.Fatal(Value)\n\t}\n}\n",
            ),
        ],
        verify: "GOCACHE=$PWD/.cache/go go test ./...",
        stray: "sed -i s/1/2/ stray.go",
        path: "stray.go",
    },
];

/// What git must ignore in these projects.
pub const IGNORED: &str = "target/\n.cache/\n__pycache__/\nCargo.lock\n";
