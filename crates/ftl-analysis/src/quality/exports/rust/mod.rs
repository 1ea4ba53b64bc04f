//! The public items of a Rust file, read from the events of rust-analyzer's parser.
//!
//! Only `pub` counts: what is restricted to a crate or a module is private. Of macros, those with
//! `#[macro_export]` do. Items that a macro makes are not seen. Every `cfg` is taken for true.

mod imports;

use std::collections::BTreeSet;

use ra_ap_parser::{Edition, LexedStr, StrStep, SyntaxKind, TopEntryPoint};

use super::module::{Binding, Module};
use super::parameters::Parameters;

/// The public items at the top of a file.
pub(super) fn module(path: &str, text: &str) -> Option<Module> {
    // Names do not depend on the edition; the newest has the most keywords.
    let edition = Edition::Edition2021;
    let lexed = LexedStr::new(edition, text);
    let output = TopEntryPoint::SourceFile.parse(&lexed.to_input(edition));
    let mut reader = Reader::default();
    lexed.intersperse_trivia(&output, &mut |step| reader.step(&step));
    Some(reader.finish(path))
}

/// An item while its parts go by.
#[derive(Debug, Default)]
struct Item {
    visibility: String,
    attributes: String,
    name: Option<String>,
    /// The tokens behind `use`, without space between them.
    import: String,
    /// The text between a function's brackets.
    parameters: String,
}

/// Follows the tree from above without building it.
#[derive(Debug, Default)]
struct Reader {
    /// The nodes from the file down to where the parser is.
    nodes: Vec<SyntaxKind>,
    item: Item,
    /// Public names with what they are.
    items: Vec<(String, Binding)>,
    /// What public functions take.
    parameters: Parameters,
    /// What public `use` items name.
    imports: Vec<String>,
    /// Modules that the file declares, public or not.
    modules: Vec<String>,
    /// Those that are not public.
    hidden: BTreeSet<String>,
    /// The type that an `impl` is of, and the visibility of the function in it.
    within: (String, String),
    /// Public methods of types.
    members: BTreeSet<String>,
}

impl Reader {
    fn step(&mut self, step: &StrStep<'_>) {
        match step {
            StrStep::Enter { kind } => {
                self.nodes.push(*kind);
                if matches!(
                    self.nodes.as_slice(),
                    [_, SyntaxKind::IMPL, SyntaxKind::ASSOC_ITEM_LIST, _]
                ) {
                    self.within.1.clear();
                }
                if self.is_item() {
                    self.item = Item::default();
                }
            }
            StrStep::Exit => {
                if self.is_item() {
                    self.close();
                }
                self.nodes.pop();
            }
            StrStep::Token { kind, text } => self.token(*kind, text),
            StrStep::Error { .. } => {}
        }
    }

    /// Depth of the node that is an item of the file: below it, or in an `extern` block below it.
    fn item_depth(&self) -> usize {
        match self.nodes.get(1..3) {
            Some([SyntaxKind::EXTERN_BLOCK, SyntaxKind::EXTERN_ITEM_LIST]) => 4,
            _ => 2,
        }
    }

    fn is_item(&self) -> bool {
        self.nodes.len() == self.item_depth()
    }

    /// What is in an `impl`: of one for a trait, the functions have no visibility.
    fn member(&mut self, text: &str) {
        use SyntaxKind::{
            ASSOC_ITEM_LIST, FN, IMPL, NAME, NAME_REF, PATH, PATH_SEGMENT, PATH_TYPE, VISIBILITY,
        };
        match self.nodes.as_slice() {
            [_, IMPL, PATH_TYPE, PATH, PATH_SEGMENT, NAME_REF] => self.within.0 = text.to_owned(),
            [_, IMPL, ASSOC_ITEM_LIST, FN, VISIBILITY, ..] => self.within.1.push_str(text),
            [_, IMPL, ASSOC_ITEM_LIST, FN, NAME] if self.within.1 == "pub" => {
                self.members.insert(format!("{}.{}", self.within.0, plain(text)));
            }
            _ => {}
        }
    }

    fn token(&mut self, kind: SyntaxKind, text: &str) {
        self.member(text);
        let depth = self.item_depth();
        let Some(item) = self.nodes.get(depth - 1) else {
            return;
        };
        let is_parameter = self.nodes.get(depth) == Some(&SyntaxKind::PARAM_LIST);
        if is_parameter && *item == SyntaxKind::FN && kind != SyntaxKind::COMMENT {
            return self.item.parameters.push_str(text);
        }
        if matches!(kind, SyntaxKind::WHITESPACE | SyntaxKind::COMMENT) {
            return;
        }
        match (self.nodes.get(depth), item) {
            (Some(SyntaxKind::VISIBILITY), _) => self.item.visibility.push_str(text),
            (Some(SyntaxKind::ATTR), _) => self.item.attributes.push_str(text),
            (Some(SyntaxKind::NAME), _) if self.nodes.len() == depth + 1 => {
                self.item.name = Some(plain(text).to_owned());
            }
            // `extern crate a as b`: the last of the two names.
            (Some(SyntaxKind::NAME_REF | SyntaxKind::RENAME), SyntaxKind::EXTERN_CRATE) => {
                self.item.name = Some(plain(text).to_owned());
            }
            (Some(SyntaxKind::USE_TREE), SyntaxKind::USE) => {
                // `a as b` is the only place where words meet.
                if kind == SyntaxKind::AS_KW {
                    self.item.import.push_str(" as ");
                } else {
                    self.item.import.push_str(plain(text));
                }
            }
            _ => {}
        }
    }

    /// Takes in the item that ends here.
    fn close(&mut self) {
        let kind = self.nodes[self.nodes.len() - 1];
        let item = std::mem::take(&mut self.item);
        let is_public = item.visibility == "pub";
        if kind == SyntaxKind::MODULE {
            self.modules.extend(item.name.clone());
            self.hidden.extend(item.name.clone().filter(|_| !is_public));
        }
        let binding = match kind {
            SyntaxKind::FN => Binding::Callable,
            SyntaxKind::MACRO_RULES if item.attributes.contains("macro_export") => {
                let name = item.name.map(|name| (name, Binding::Value));
                return self.items.extend(name);
            }
            SyntaxKind::USE if is_public => return self.imports.push(item.import),
            SyntaxKind::ENUM | SyntaxKind::TRAIT | SyntaxKind::UNION | SyntaxKind::MODULE => {
                Binding::Data
            }
            // A tuple struct is called to make one, and so is a constant that is a closure.
            SyntaxKind::STRUCT
            | SyntaxKind::CONST
            | SyntaxKind::STATIC
            | SyntaxKind::TYPE_ALIAS
            | SyntaxKind::MACRO_DEF
            | SyntaxKind::EXTERN_CRATE => Binding::Value,
            _ => return,
        };
        if is_public {
            if let (SyntaxKind::FN, Some(name)) = (kind, &item.name) {
                self.parameters.add(name, &item.parameters);
            }
            self.items.extend(item.name.map(|name| (name, binding)));
        }
    }

    fn finish(self, path: &str) -> Module {
        let mut module = Module {
            parameters: self.parameters,
            members: self.members,
            hidden: self.hidden,
            is_program: path.ends_with("main.rs") || path.contains("src/bin/"),
            ..Module::default()
        };
        for (name, binding) in self.items {
            module.bind(&name, binding);
        }
        for import in &self.imports {
            imports::read(path, import, &self.modules, &mut module);
        }
        module.declared = Some(module.names.keys().cloned().collect());
        module
    }
}

/// `type` of `r#type`.
fn plain(name: &str) -> &str {
    name.strip_prefix("r#").unwrap_or(name)
}
