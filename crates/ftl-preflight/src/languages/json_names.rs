//! Which JSON files may have comments, or are JSON5: by the program that reads them, which each line
//! names with the parser it uses. `package.json` and `composer.json` are strict.

use std::path::Path;

/// Read with comments although the name does not say so.
pub(super) const COMMENTED: &[&str] = &[
    // Linters and formatters, by `strip-json-comments` or `jsonc-parser`.
    ".eslintrc.json",
    ".hintrc",
    ".jscsrc",
    ".jshintrc",
    ".markdownlint.json",
    ".oxfmtrc.json",
    ".oxlintrc.json",
    "cspell.json",
    ".cspell.json",
    "tslint.json",
    // Test runners and other tools of Node, by `strip-json-comments`.
    ".c8rc.json",
    ".mocharc.json",
    "knip.json",
    // Compilers and bundlers: swc by `jsonc-parser` in Rust, Deno, Bun and Turborepo by their own.
    ".swcrc",
    "bun.lock",
    "deno.json",
    "turbo.json",
    "typedoc.json",
    // Angular and Nx, by `jsonc-parser`.
    "angular.json",
    "nx.json",
    "project.json",
    "workspace.json",
    // Rush and its tools, by `jju` with comments.
    "api-extractor.json",
    "rush.json",
    "rush-project.json",
    // .NET: `JsonCommentHandling.Skip`.
    "bundleconfig.json",
    "global.json",
    "launchSettings.json",
    // Cloudflare's wrangler by `jsonc-parser`, Firebase by `cjson`, containers and Lua's language server.
    ".devcontainer.json",
    ".luarc.json",
    "devcontainer.json",
    "firebase.json",
    "wrangler.json",
];

/// Directories whose JSON files editors and Rush read with comments.
const COMMENTED_IN: &[&str] = &[".vscode", "vscode", ".devcontainer", ".zed", "rush"];

/// Beginnings of names of JSON files that TypeScript and .NET read with comments.
const COMMENTED_FROM: &[&str] = &["tsconfig", "jsconfig", "appsettings"];

/// Read as JSON5.
pub(super) const JSON5: &[&str] = &[
    // Expo, by `json5`.
    "app.json",
    // Babel, by `json5`.
    ".babelrc",
    ".babelrc.json",
    "babel.config.json",
    // Renovate falls back to `json5`.
    ".renovaterc",
    ".renovaterc.json",
    "renovate.json",
    // ESLint removes comments and reads the rest as YAML, of which JSON5 is most.
    ".eslintrc",
];

/// Whether a path names a JSON file with comments by its directory or the beginning of its name.
pub(super) fn is_commented(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let parent = path.parent().and_then(Path::file_name).and_then(|it| it.to_str());
    path.extension().is_some_and(|extension| extension == "json")
        && (COMMENTED_FROM.iter().any(|start| name.starts_with(start))
            || parent.is_some_and(|parent| COMMENTED_IN.contains(&parent)))
}
