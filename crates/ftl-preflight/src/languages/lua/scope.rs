//! Names that are visible at a place: local variables, labels, and what a jump can reach.

use std::ops::Range;

use crate::finding::Finding;

/// The most local variables that a function can have at once.
const MOST_LOCALS: usize = 200;

/// Functions, each within the one before.
pub(super) struct Scopes<'t> {
    functions: Vec<Function<'t>>,
}

struct Function<'t> {
    has_varargs: bool,
    locals: Vec<Local<'t>>,
    blocks: Vec<Block<'t>>,
}

struct Local<'t> {
    name: &'t str,
    is_constant: bool,
}

#[derive(Default)]
struct Block<'t> {
    is_loop: bool,
    /// Locals of the function before the block.
    first: usize,
    labels: Vec<Label<'t>>,
    gotos: Vec<Goto<'t>>,
}

struct Label<'t> {
    name: &'t str,
    /// Locals that a jump must know already.
    locals: usize,
}

struct Goto<'t> {
    name: &'t str,
    range: Range<usize>,
    /// Locals known where it is.
    locals: usize,
}

impl<'t> Scopes<'t> {
    /// The chunk itself takes any arguments.
    pub(super) fn new() -> Self {
        let chunk =
            Function { has_varargs: true, locals: Vec::new(), blocks: vec![Block::default()] };
        Self { functions: vec![chunk] }
    }

    pub(super) fn enter_function(&mut self) {
        let function =
            Function { has_varargs: false, locals: Vec::new(), blocks: vec![Block::default()] };
        self.functions.push(function);
    }

    pub(super) fn leave_function(&mut self) -> Result<(), Finding> {
        let left = self.leave_block();
        self.functions.pop();
        left
    }

    pub(super) fn take_varargs(&mut self) {
        self.function().has_varargs = true;
    }

    pub(super) fn has_varargs(&mut self) -> bool {
        self.function().has_varargs
    }

    pub(super) fn enter_block(&mut self, is_loop: bool) {
        let function = self.function();
        let first = function.locals.len();
        function.blocks.push(Block { is_loop, first, ..Block::default() });
    }

    /// Ends a block: its gotos without a label look for one in the block around it.
    pub(super) fn leave_block(&mut self) -> Result<(), Finding> {
        let function = self.function();
        let Some(block) = function.blocks.pop() else { return Ok(()) };
        function.locals.truncate(block.first);
        for goto in block.gotos {
            match function.blocks.last_mut() {
                Some(around) => {
                    let locals = goto.locals.min(block.first);
                    around.jump(Goto { locals, ..goto })?;
                }
                None => {
                    let message = format!("no visible label `{}` for this goto", goto.name);
                    return Err(Finding::syntax(message, goto.range));
                }
            }
        }
        Ok(())
    }

    pub(super) fn is_in_loop(&mut self) -> bool {
        self.function().blocks.iter().any(|block| block.is_loop)
    }

    pub(super) fn declare(&mut self, name: &'t str, is_constant: bool) -> Result<(), &'static str> {
        let function = self.function();
        function.locals.push(Local { name, is_constant });
        if function.locals.len() > MOST_LOCALS { Err("too many local variables") } else { Ok(()) }
    }

    pub(super) fn is_constant(&self, name: &str) -> bool {
        let mut locals = self.functions.iter().rev().flat_map(|it| it.locals.iter().rev());
        locals.find(|local| local.name == name).is_some_and(|local| local.is_constant)
    }

    pub(super) fn goto(&mut self, name: &'t str, range: Range<usize>) -> Result<(), Finding> {
        let locals = self.function().locals.len();
        self.block().jump(Goto { name, range, locals })
    }

    /// Adds a label. Where only labels and `;` follow to the end of the block, it counts as being after the
    /// scope of the block's locals.
    pub(super) fn label(
        &mut self,
        name: &'t str,
        range: Range<usize>,
        is_last: bool,
    ) -> Result<(), Finding> {
        let function = self.function();
        if function.blocks.iter().any(|block| block.labels.iter().any(|it| it.name == name)) {
            return Err(Finding::syntax(format!("label `{name}` already defined"), range));
        }
        let locals = function.locals.len();
        let block = self.block();
        let locals = if is_last { block.first } else { locals };
        block.labels.push(Label { name, locals });
        let gotos = std::mem::take(&mut block.gotos);
        for goto in gotos {
            block.jump(goto)?;
        }
        Ok(())
    }

    fn function(&mut self) -> &mut Function<'t> {
        self.functions.last_mut().expect("because the chunk is left last")
    }

    fn block(&mut self) -> &mut Block<'t> {
        self.function().blocks.last_mut().expect("because a function is a block")
    }
}

impl<'t> Block<'t> {
    /// Takes a goto to its label, or keeps it for a label to come.
    fn jump(&mut self, goto: Goto<'t>) -> Result<(), Finding> {
        match self.labels.iter().find(|label| label.name == goto.name) {
            Some(label) if label.locals > goto.locals => {
                let message =
                    format!("this goto jumps into the scope of a local at `{}`", goto.name);
                Err(Finding::syntax(message, goto.range))
            }
            Some(_) => Ok(()),
            None => {
                self.gotos.push(goto);
                Ok(())
            }
        }
    }
}
