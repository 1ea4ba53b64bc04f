//! The public items of Rust files, as syn sees them.
//!
//! An item is public that is `pub` without a restriction, at the top of its file or in an `extern` block there, and so is a macro with
//! `#[macro_export]`. A public import gives the last name of each path, or the one behind `as`.

use std::collections::BTreeSet;

use syn::punctuated::Punctuated;
use syn::{Attribute, ForeignItem, Item, Meta, Token, UseTree, Visibility};

/// The names; `None` where syn cannot read the file.
pub(super) fn names(text: &str) -> Option<BTreeSet<String>> {
    let mut names = Vec::new();
    for item in syn::parse_file(text).ok()?.items {
        take(&item, &mut names);
    }
    let plain = |name: String| name.trim_start_matches("r#").to_owned();
    Some(names.into_iter().map(plain).filter(|name| name != "_").collect())
}

fn take(item: &Item, names: &mut Vec<String>) {
    let (visibility, name) = match item {
        Item::Const(it) => (&it.vis, &it.ident),
        Item::Enum(it) => (&it.vis, &it.ident),
        Item::ExternCrate(it) => {
            let name = it.rename.as_ref().map_or(&it.ident, |(_, name)| name);
            (&it.vis, name)
        }
        Item::Fn(it) => (&it.vis, &it.sig.ident),
        Item::Mod(it) => (&it.vis, &it.ident),
        Item::Static(it) => (&it.vis, &it.ident),
        Item::Struct(it) => (&it.vis, &it.ident),
        Item::Trait(it) => (&it.vis, &it.ident),
        Item::TraitAlias(it) => (&it.vis, &it.ident),
        Item::Type(it) => (&it.vis, &it.ident),
        Item::Union(it) => (&it.vis, &it.ident),
        Item::Use(it) => {
            if is_public(&it.vis) {
                imported(&it.tree, None, names);
            }
            return;
        }
        Item::Macro(it) => {
            let is_exported = it.attrs.iter().any(exports_macro);
            let name = it.ident.iter().filter(|_| is_exported);
            names.extend(name.map(ToString::to_string));
            return;
        }
        Item::ForeignMod(it) => return it.items.iter().for_each(|it| foreign(it, names)),
        _ => return,
    };
    if is_public(visibility) {
        names.push(name.to_string());
    }
}

/// `#[macro_export]`, also where it depends on the configuration.
fn exports_macro(attribute: &Attribute) -> bool {
    match &attribute.meta {
        Meta::List(it) if it.path.is_ident("cfg_attr") => {
            let parts = it.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated);
            parts.is_ok_and(|parts| parts.iter().any(|it| it.path().is_ident("macro_export")))
        }
        meta => meta.path().is_ident("macro_export"),
    }
}

fn foreign(item: &ForeignItem, names: &mut Vec<String>) {
    let (visibility, name) = match item {
        ForeignItem::Fn(it) => (&it.vis, &it.sig.ident),
        ForeignItem::Static(it) => (&it.vis, &it.ident),
        ForeignItem::Type(it) => (&it.vis, &it.ident),
        _ => return,
    };
    if is_public(visibility) {
        names.push(name.to_string());
    }
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

/// The names that a tree of imports gives; `above` is the last part of the path to it.
fn imported(tree: &UseTree, above: Option<String>, names: &mut Vec<String>) {
    match tree {
        UseTree::Path(it) => imported(&it.tree, Some(it.ident.to_string()), names),
        UseTree::Name(it) if it.ident == "self" => names.extend(above),
        UseTree::Name(it) => names.push(it.ident.to_string()),
        UseTree::Rename(it) => names.push(it.rename.to_string()),
        UseTree::Glob(_) => {}
        UseTree::Group(it) => it.items.iter().for_each(|it| imported(it, above.clone(), names)),
    }
}
