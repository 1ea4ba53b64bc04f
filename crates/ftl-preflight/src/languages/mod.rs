//! The table of languages, in the order of their names, and one module for each checker.
//!
//! To add a language, write its file, declare it here, and add its row: tests, documentation,
//! benchmarks, fuzz targets and the evaluation read the table. A row exists whether or not the
//! language's cargo feature is on, so that a file is reported as unchecked by its language instead
//! of as unknown.

mod json_names;
mod row;

pub(crate) use self::row::LanguageRow;
use self::row::languages;
#[allow(unused_imports, reason = "only some languages are decoded in their own way")]
use crate::decode;

#[cfg(feature = "components")]
mod component;
#[cfg(feature = "oxc")]
mod ecmascript;
#[cfg(feature = "go")]
mod go;
#[cfg(feature = "graphql")]
mod graphql;
#[cfg(feature = "hcl")]
mod hcl;
#[cfg(feature = "javascript")]
mod javascript;
#[cfg(feature = "json")]
mod json;
#[cfg(feature = "lua")]
mod lua;
#[cfg(feature = "notebook")]
mod notebook;
#[cfg(feature = "php")]
mod php;
#[cfg(feature = "protobuf")]
mod protobuf;
#[cfg(feature = "python")]
mod python;
#[cfg(feature = "ruby")]
mod ruby;
#[cfg(feature = "rust")]
mod rust;
#[cfg(feature = "shell")]
mod shell;
#[cfg(feature = "toml")]
mod toml;
#[cfg(feature = "typescript")]
mod typescript;
#[cfg(feature = "xml")]
mod xml;
#[cfg(feature = "yaml")]
mod yaml;

languages! {
    /// Components of Astro: their frontmatter.
    Astro {
        name: "astro",
        parser: "oxc, for the frontmatter",
        extensions: &["astro"],
    } if "components" { check: component::check_frontmatter, decode: decode::lossy }

    /// Go.
    Go {
        name: "go",
        parser: "its own",
        extensions: &["go"],
        usual_command: &["go", "build", "-o", "/dev/null", "{file}"],
    } if "go" { check: go::check, front_end: go::FRONT_END }

    /// GraphQL: operations and schemas.
    GraphQl {
        name: "graphql",
        parser: "apollo-parser",
        extensions: &["graphql", "gql", "graphqls"],
    } if "graphql" { check: graphql::check }

    /// HCL 2, as Terraform reads it.
    Hcl {
        name: "hcl",
        parser: "hcl-edit",
        extensions: &["hcl", "tf", "tfvars"],
        file_names: &[".terraformrc", "terraform.rc"],
        usual_command: &["terraform", "fmt", "-check", "{file}"],
    } if "hcl" { check: hcl::check, front_end: hcl::FRONT_END }

    /// JavaScript: module, CommonJS or script.
    JavaScript {
        name: "javascript",
        parser: "oxc, with early errors",
        extensions: &["js", "mjs", "cjs"],
        interpreters: &["node", "nodejs"],
        usual_command: &["node", "--check", "{file}"],
    } if "javascript" {
        check: javascript::check,
        decode: decode::lossy,
        front_end: javascript::FRONT_END,
    }

    /// JSON as RFC 8259 has it.
    Json {
        name: "json",
        parser: "serde_json",
        extensions: &["json", "geojson", "webmanifest"],
        file_names: &["Pipfile.lock", "composer.lock", "flake.lock"],
    } if "json" { check: json::check }

    /// JSON5, as Babel reads its settings.
    Json5 {
        name: "json5",
        parser: "jsonc-parser",
        extensions: &["json5"],
        file_names: json_names::JSON5,
    } if "json" { check: json::check_json5 }

    /// JSON with comments and trailing commas, as TypeScript and editors read their settings.
    Jsonc {
        name: "jsonc",
        parser: "jsonc-parser",
        extensions: &["jsonc", "code-snippets", "code-workspace"],
        file_names: json_names::COMMENTED,
        claims: json_names::is_commented,
    } if "json" { check: json::check_with_comments }

    /// JavaScript with JSX.
    Jsx {
        name: "jsx",
        parser: "oxc, with early errors",
        extensions: &["jsx"],
        usual_command: &["node", "--check", "{file}"],
    } if "javascript" { check: javascript::check_jsx, decode: decode::lossy }

    /// Lua 5.1 to 5.4, and LuaJIT.
    Lua {
        name: "lua",
        parser: "full_moon",
        extensions: &["lua", "rockspec"],
        file_names: &[".luacheckrc"],
        interpreters: &["lua", "luajit"],
        usual_command: &["luac", "-p", "{file}"],
    } if "lua" { check: lua::check, decode: decode::lossy, front_end: lua::FRONT_END }

    /// Jupyter notebooks whose cells are Python.
    Notebook {
        name: "notebook",
        parser: "serde_json, and ruff's for the cells",
        extensions: &["ipynb"],
    } if "notebook" { check: notebook::check, front_end: notebook::FRONT_END }

    /// PHP: scripts, and pages with scripts in them.
    Php {
        name: "php",
        parser: "php-rs-parser",
        extensions: &["php", "phtml"],
        interpreters: &["php"],
        usual_command: &["php", "-l", "{file}"],
    } if "php" { check: php::check, decode: decode::lossy, front_end: php::FRONT_END }

    /// Protocol Buffers: definitions.
    Protobuf {
        name: "protobuf",
        parser: "protox",
        extensions: &["proto"],
        usual_command: &["protoc", "--descriptor_set_out=/dev/null", "{file}"],
    } if "protobuf" { check: protobuf::check, front_end: protobuf::FRONT_END }

    /// Python 3, and its stubs.
    Python {
        name: "python",
        parser: "ruff's, with what `compile` checks after parsing",
        extensions: &["py", "pyi", "pyw"],
        file_names: &["SConscript", "SConstruct"],
        interpreters: &["python", "python3"],
        usual_command: &["python", "-m", "py_compile", "{file}"],
    } if "python" { check: python::check, decode: python::decode, front_end: python::FRONT_END }

    /// Ruby.
    Ruby {
        name: "ruby",
        parser: "lib-ruby-parser",
        extensions: &["rb", "gemspec", "podspec", "rake", "ru"],
        file_names: &[
            "Appraisals", "Berksfile", "Brewfile", "Capfile", "Fastfile", "Gemfile", "Guardfile", "Podfile",
            "Rakefile", "Vagrantfile",
        ],
        interpreters: &["ruby"],
        usual_command: &["ruby", "-c", "{file}"],
    } if "ruby" { check: ruby::check, decode: ruby::decode, front_end: ruby::FRONT_END }

    /// Rust.
    Rust {
        name: "rust",
        parser: "rust-analyzer's",
        extensions: &["rs"],
        usual_command: &["rustc", "--emit=metadata", "{file}"],
    } if "rust" { check: rust::check, front_end: rust::FRONT_END }

    /// Shell: bash, and what POSIX shells have in common with it.
    Shell {
        name: "shell",
        parser: "its own",
        extensions: &["sh", "bash"],
        file_names: &[
            ".bash_aliases", ".bash_logout", ".bash_profile", ".bashrc", ".profile", "APKBUILD", "PKGBUILD",
        ],
        interpreters: &["ash", "bash", "dash", "sh"],
        usual_command: &["bash", "-n", "{file}"],
    } if "shell" { check: shell::check, decode: decode::lossy, front_end: shell::FRONT_END }

    /// Components of Svelte: their scripts.
    Svelte {
        name: "svelte",
        parser: "oxc, for the scripts",
        extensions: &["svelte"],
    } if "components" { check: component::check, decode: decode::lossy }

    /// TOML.
    Toml {
        name: "toml",
        parser: "toml",
        extensions: &["toml"],
        file_names: &["Cargo.lock", "Pipfile", "poetry.lock", "uv.lock"],
    } if "toml" { check: toml::check }

    /// TypeScript with JSX.
    Tsx {
        name: "tsx",
        parser: "oxc, with grammar errors",
        extensions: &["tsx"],
        usual_command: &["npx", "tsc", "--noEmit", "{file}"],
    } if "typescript" {
        check: typescript::check_tsx,
        decode: decode::lossy_unicode,
        front_end: typescript::FRONT_END,
    }

    /// TypeScript, and its declaration files.
    TypeScript {
        name: "typescript",
        parser: "oxc, with grammar errors",
        extensions: &["ts", "mts", "cts"],
        usual_command: &["npx", "tsc", "--noEmit", "{file}"],
    } if "typescript" {
        check: typescript::check,
        decode: decode::lossy_unicode,
        front_end: typescript::FRONT_END,
    }

    /// Components of Vue: their scripts.
    Vue {
        name: "vue",
        parser: "oxc, for the scripts",
        extensions: &["vue"],
    } if "components" { check: component::check, decode: decode::lossy }

    /// XML 1.0: whether it is well-formed. SVG is XML.
    Xml {
        name: "xml",
        parser: "its own",
        extensions: &[
            "xml", "svg", "xsd", "xsl", "xslt", "rng", "xliff", "xlf", "csproj", "vbproj", "fsproj", "vcxproj",
            "nuspec", "resx", "xaml", "rss", "atom", "gpx", "kml", "wsdl", "storyboard",
            "xib", "iml",
        ],
        usual_command: &["xmllint", "--noout", "{file}"],
    } if "xml" { check: xml::check, decode: xml::decode, front_end: xml::FRONT_END }

    /// YAML 1.2: one document or many.
    Yaml {
        name: "yaml",
        parser: "granit",
        extensions: &["yaml", "yml"],
        file_names: &[".clang-format", ".clang-tidy", "CITATION.cff", "pubspec.lock"],
    } if "yaml" { check: yaml::check, decode: decode::unicode }
}
