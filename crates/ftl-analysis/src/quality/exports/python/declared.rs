//! `__all__`: the names that a module declares public, where every statement that makes the list can be read.

use ruff_python_ast::{Expr, Operator, StmtAugAssign};

/// The name of the list.
pub(super) const ALL: &str = "__all__";

/// The list, while the statements go by. What branches put into it is all taken.
#[derive(Debug, Default)]
pub(super) struct Declared {
    names: Option<Vec<String>>,
    is_untold: bool,
}

impl Declared {
    /// The names; `None` without a list, or where some of it is only known at run time.
    pub(super) fn names(self) -> Option<Vec<String>> {
        self.names.filter(|_| !self.is_untold)
    }

    /// `__all__ = value`
    pub(super) fn assign(&mut self, value: Option<&Expr>) {
        self.add(value.and_then(strings));
    }

    /// `__all__ += value`, if it is that.
    pub(super) fn augment(&mut self, assignment: &StmtAugAssign) {
        if is_all(&assignment.target) {
            let adds = assignment.op == Operator::Add;
            self.add(strings(&assignment.value).filter(|_| adds));
        }
    }

    /// `__all__.append(value)` and the like, if it is that.
    pub(super) fn call(&mut self, expression: &Expr) {
        let Expr::Call(call) = expression else { return };
        let Expr::Attribute(method) = &*call.func else {
            return;
        };
        if !is_all(&method.value) {
            return;
        }
        let argument = match &*call.arguments.args {
            [argument] => Some(argument),
            _ => None,
        };
        match (method.attr.as_str(), argument) {
            ("append", Some(value)) => self.add(text(value).map(|name| vec![name])),
            ("extend", Some(value)) => self.add(strings(value)),
            ("remove", Some(value)) => self.remove(text(value)),
            _ => self.is_untold = true,
        }
    }

    fn add(&mut self, names: Option<Vec<String>>) {
        match names {
            Some(names) => self.names.get_or_insert_default().extend(names),
            None => self.is_untold = true,
        }
    }

    fn remove(&mut self, name: Option<String>) {
        let names = self.names.as_mut();
        let at = names.zip(name).and_then(|(names, name)| {
            let at = names.iter().position(|one| *one == name)?;
            Some(names.remove(at))
        });
        self.is_untold |= at.is_none();
    }
}

fn is_all(expression: &Expr) -> bool {
    matches!(expression, Expr::Name(name) if name.id.as_str() == ALL)
}

/// The strings of lists and tuples that hold nothing else, and of sums of them.
fn strings(value: &Expr) -> Option<Vec<String>> {
    let mut left = vec![value];
    let mut names = Vec::new();
    while let Some(value) = left.pop() {
        match value {
            Expr::List(list) => names.extend(texts(&list.elts)?),
            Expr::Tuple(tuple) => names.extend(texts(&tuple.elts)?),
            Expr::BinOp(sum) if sum.op == Operator::Add => left.extend([&*sum.right, &*sum.left]),
            _ => return None,
        }
    }
    Some(names)
}

fn texts(items: &[Expr]) -> Option<Vec<String>> {
    items.iter().map(text).collect()
}

fn text(item: &Expr) -> Option<String> {
    match item {
        Expr::StringLiteral(text) => Some(text.value.to_str().to_owned()),
        _ => None,
    }
}
