//! The document type declaration and what is declared in it (section 3 and 4).

use std::collections::BTreeSet;

use super::cursor::{Cursor, Read};

/// The entities that a document declares.
#[derive(Default)]
pub(super) struct Declarations<'t> {
    entities: BTreeSet<&'t str>,
    /// Whether there are more in another file.
    are_incomplete: bool,
}

impl<'t> Declarations<'t> {
    pub(super) fn has_entity(&self, name: &str) -> bool {
        self.entities.contains(name)
    }

    pub(super) fn are_incomplete(&self) -> bool {
        self.are_incomplete
    }

    /// The declaration behind `<!DOCTYPE` (28).
    pub(super) fn read(cursor: &mut Cursor<'t>) -> Read<Self> {
        let mut declarations = Self::default();
        cursor.expect_space()?;
        cursor.name()?;
        if cursor.space() && (cursor.is("SYSTEM") || cursor.is("PUBLIC")) {
            external(cursor, false)?;
            declarations.are_incomplete = true;
            cursor.space();
        }
        if cursor.take("[") {
            while !cursor.take("]") {
                declarations.declaration(cursor)?;
            }
            cursor.space();
        }
        cursor.expect(">")?;
        Ok(declarations)
    }

    /// One part of the internal subset (28b).
    fn declaration(&mut self, cursor: &mut Cursor<'t>) -> Read {
        if cursor.space() {
            return Ok(());
        }
        if cursor.take("%") {
            cursor.name()?;
            self.are_incomplete = true;
            return cursor.expect(";");
        }
        if cursor.take("<!--") {
            return cursor.comment();
        }
        if cursor.take("<?") {
            return cursor.instruction();
        }
        if cursor.take("<!ELEMENT") {
            element(cursor)?;
        } else if cursor.take("<!ATTLIST") {
            attributes(cursor)?;
        } else if cursor.take("<!ENTITY") {
            self.entity(cursor)?;
        } else if cursor.take("<!NOTATION") {
            cursor.expect_space()?;
            cursor.name()?;
            cursor.expect_space()?;
            external(cursor, true)?;
            cursor.space();
        } else {
            return Err(cursor.unexpected("a declaration or `]`"));
        }
        cursor.expect(">")
    }

    /// Behind `<!ENTITY` (70).
    fn entity(&mut self, cursor: &mut Cursor<'t>) -> Read {
        cursor.expect_space()?;
        let is_parameter = cursor.take("%");
        if is_parameter {
            cursor.expect_space()?;
        }
        let name = cursor.name()?;
        if !is_parameter {
            self.entities.insert(name);
        }
        cursor.expect_space()?;
        if cursor.is("SYSTEM") || cursor.is("PUBLIC") {
            external(cursor, false)?;
            if cursor.space() && !is_parameter && cursor.take("NDATA") {
                cursor.expect_space()?;
                cursor.name()?;
            }
        } else {
            entity_value(cursor)?;
        }
        cursor.space();
        Ok(())
    }
}

/// `SYSTEM "…"` or `PUBLIC "…" "…"` (75); a notation may have no second text (83).
fn external(cursor: &mut Cursor<'_>, is_notation: bool) -> Read {
    if cursor.take("SYSTEM") {
        cursor.expect_space()?;
        return cursor.quoted().map(drop);
    }
    cursor.expect("PUBLIC")?;
    cursor.expect_space()?;
    let start = cursor.at();
    let is_public =
        |it: char| it.is_ascii_alphanumeric() || " \r\n-'()+,./:=?;!*#@$_%".contains(it);
    if !cursor.quoted()?.chars().all(is_public) {
        return Err(cursor.error(start, "a character that a public identifier does not allow"));
    }
    let has_space = cursor.space();
    if is_notation && !cursor.rest().starts_with(['"', '\'']) {
        return Ok(());
    }
    if !has_space {
        return Err(cursor.unexpected("white space"));
    }
    cursor.quoted().map(drop)
}

/// (9): references must be whole; a parameter entity may not be referred to within a declaration here.
fn entity_value(cursor: &mut Cursor<'_>) -> Read {
    let start = cursor.at();
    let value = cursor.quoted()?;
    let mut inner = Cursor::new(value);
    let broken = |_| cursor.error(start, "a broken reference in the value of an entity");
    loop {
        let rest = inner.rest();
        let Some(length) = rest.find(['&', '%']) else { return Ok(()) };
        inner.characters(length).map_err(broken)?;
        if inner.take("&#") {
            inner.character_reference().map_err(broken)?;
        } else if inner.take("&") {
            inner.name().map_err(broken)?;
            inner.expect(";").map_err(broken)?;
        } else {
            return Err(cursor.error(start, "`%` in the value of an entity"));
        }
    }
}

/// Behind `<!ELEMENT` (45 to 51).
fn element(cursor: &mut Cursor<'_>) -> Read {
    cursor.expect_space()?;
    cursor.name()?;
    cursor.expect_space()?;
    if !cursor.take("EMPTY") && !cursor.take("ANY") {
        cursor.expect("(")?;
        cursor.space();
        if cursor.take("#PCDATA") { mixed(cursor)? } else { children(cursor)? }
    }
    cursor.space();
    Ok(())
}

fn mixed(cursor: &mut Cursor<'_>) -> Read {
    let mut names = 0;
    loop {
        cursor.space();
        if cursor.take(")") {
            // Without names the star is optional.
            return if cursor.take("*") || names == 0 { Ok(()) } else { cursor.expect("*") };
        }
        cursor.expect("|")?;
        cursor.space();
        cursor.name()?;
        names += 1;
    }
}

/// Behind the first bracket; the brackets that are open are kept with what separates their parts.
fn children(cursor: &mut Cursor<'_>) -> Read {
    let mut open: Vec<Option<&str>> = vec![None];
    loop {
        cursor.space();
        if cursor.take("(") {
            open.push(None);
            continue;
        }
        cursor.name()?;
        occurrence(cursor);
        loop {
            cursor.space();
            let Some(separator) = open.last_mut() else { return Ok(()) };
            if cursor.take(")") {
                open.pop();
                occurrence(cursor);
                if open.is_empty() {
                    return Ok(());
                }
                continue;
            }
            let found = if cursor.is("|") { "|" } else { "," };
            if separator.is_some_and(|it| it != found) {
                return Err(cursor.unexpected("one kind of separator"));
            }
            *separator = Some(found);
            cursor.expect(found)?;
            break;
        }
    }
}

fn occurrence(cursor: &mut Cursor<'_>) {
    let _ = cursor.take("?") || cursor.take("*") || cursor.take("+");
}

/// Behind `<!ATTLIST` (52 to 60).
fn attributes(cursor: &mut Cursor<'_>) -> Read {
    cursor.expect_space()?;
    cursor.name()?;
    while cursor.space() && !cursor.is(">") {
        cursor.name()?;
        cursor.expect_space()?;
        attribute_type(cursor)?;
        cursor.expect_space()?;
        if cursor.take("#REQUIRED") || cursor.take("#IMPLIED") {
            continue;
        }
        if cursor.take("#FIXED") {
            cursor.expect_space()?;
        }
        let start = cursor.at();
        if cursor.quoted()?.contains('<') {
            return Err(cursor.error(start, "`<` in a value"));
        }
    }
    Ok(())
}

fn attribute_type(cursor: &mut Cursor<'_>) -> Read {
    let names = ["CDATA", "IDREFS", "IDREF", "ID", "ENTITY", "ENTITIES", "NMTOKENS", "NMTOKEN"];
    if names.iter().any(|name| cursor.take(name)) {
        return Ok(());
    }
    if cursor.take("NOTATION") {
        cursor.expect_space()?;
    }
    cursor.expect("(")?;
    loop {
        cursor.space();
        if cursor.name_token().is_empty() {
            return Err(cursor.unexpected("a name"));
        }
        cursor.space();
        if cursor.take(")") {
            return Ok(());
        }
        cursor.expect("|")?;
    }
}
