//! `luac -p`, which parses and writes nothing, of every version that is installed, and LuaJIT: a file may be
//! written for any of them.

use crate::Reason;
use crate::finding::Finding;
use crate::toolchain::front_end::{Answer, FrontEnd, Question, offset};

pub(crate) const FRONT_END: FrontEnd = FrontEnd {
    programs: &["luac", "luac5.4", "luac5.3", "luac5.2", "luac5.1", "luajit"],
    decodes: false,
    ask,
};

/// LuaJIT without its environment, which can name code to run first. What it loads it does not run.
const LUAJIT: &[&str] = &[
    "-E",
    "-e",
    "local _, error = loadfile(nil, 't') if error then io.stderr:write(error) os.exit(1) end",
];

fn ask(question: &Question<'_>) -> Result<Answer, Reason> {
    let mut answer = Err(Reason::MissingTool(FRONT_END.programs[0].to_owned()));
    for program in FRONT_END.programs {
        let args: &[&str] = match *program {
            "luajit" => LUAJIT,
            _ => &["-p", "-"],
        };
        match question.ask(program, args, parse) {
            Ok(Answer::Accepts) => return Ok(Answer::Accepts),
            Err(Reason::MissingTool(_)) => {}
            other if answer.is_err() => answer = other,
            _ => {}
        }
    }
    answer
}

/// `luac: stdin:LINE: MESSAGE`.
fn parse(text: &str, line: &str) -> Option<Finding> {
    let (_, rest) = line.split_once("stdin:")?;
    let (line, message) = rest.split_once(": ")?;
    Some(Finding::at(text, offset(text, line.parse().ok()?, 1, |_| 1), message))
}
