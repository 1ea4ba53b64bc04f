//! IPython, which turns a cell into Python, and `compile`. It runs neither.

use crate::Reason;
use crate::finding::Finding;
use crate::toolchain::front_end::{Answer, FrontEnd, Question, find, run};

pub(crate) const FRONT_END: FrontEnd =
    FrontEnd { programs: &["python3", "python"], decodes: true, ask };

/// Prints the kind of answer, and behind an error its message.
const SCRIPT: &str = r#"
import ast, json, sys
def answer(text):
    sys.stdout.buffer.write(text.encode("utf-8", "replace"))
    sys.exit()
try:
    notebook = json.loads(sys.stdin.buffer.read())
except ValueError as e:
    answer("invalid\n" + str(e))
try:
    from IPython.core.inputtransformer2 import TransformerManager
except ImportError:
    answer("missing")
for cell in notebook["cells"]:
    if cell["cell_type"] == "code":
        source = "".join(cell["source"])
        try:
            code = TransformerManager().transform_cell(source)
            compile(code, "cell", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
        except (SyntaxError, ValueError) as e:
            answer("invalid\n" + str(e).replace("\n", " "))
answer("valid")
"#;

fn ask(question: &Question<'_>) -> Result<Answer, Reason> {
    let python = find("python3", question.setting).or_else(|_| find("python", question.setting))?;
    let args = ["-I", "-B", "-W", "ignore", "-c", SCRIPT];
    let (code, out, errors) = run(python, args, question.bytes, question.setting)?;
    match out.split_once('\n') {
        _ if code != 0 => Err(Reason::CheckerFailed(errors.trim().to_owned())),
        None if out == "valid" => Ok(Answer::Accepts),
        None if out == "missing" => Err(Reason::MissingTool("ipython".to_owned())),
        Some(("invalid", message)) => {
            Ok(Answer::Refuses(vec![Finding::at(question.text, 0, message)]))
        }
        _ => Err(Reason::CheckerFailed("python: no answer".to_owned())),
    }
}
