//! Prints the milliseconds that it takes to judge all idioms of a framework over ten files, once, in this fresh
//! process: the rules are read and compiled, and the files parsed as they were and as they are.

#![expect(clippy::print_stdout, reason = "tools talk to the terminal")]

use std::time::Instant;

use ftl_analysis::quality::{FileText, Rules, framework_idioms, judge_idioms};

/// A piece of a project's module: a route, a view, some work.
const PIECE: &str = r#"
@app.get('/items/{number}')
async def item_NUMBER(number: int, verbose: bool = False) -> Item:
    """One item, with what belongs to it."""
    rows = await load(number, limit=NUMBER)
    total = sum(row.price * row.count for row in rows if row.count > 0)
    if verbose:
        log.info('item %s: %s', number, total)  # print(total)
    return Item(number=number, total=total, rows=[row.name for row in rows])


class OrdersNUMBER(ListView):
    model = Order
    limit = {'small': 10, 'large': NUMBER}

    def rows(self, request):
        found = Order.objects.filter(paid=True).order_by('-created')
        try:
            return [self.shown(row) for row in found[: self.limit['small']]]
        except LookupError as error:
            raise NotThere(f'<{request.path}> is not there') from error
"#;

fn main() {
    let framework = std::env::args().nth(1).unwrap_or_default();
    let idioms = framework_idioms(&framework).unwrap_or_default();
    let text = |first: usize| -> String {
        (first..first + 10).map(|number| PIECE.replace("NUMBER", &number.to_string())).collect()
    };
    let texts: Vec<(String, String, String)> =
        (0..10).map(|at| (format!("shop/part_{at}.py"), text(at), text(at + 1))).collect();
    let files: Vec<FileText<'_>> = texts
        .iter()
        .map(|(path, before, after)| FileText { path, before: Some(before), after: Some(after) })
        .collect();
    let began = Instant::now();
    let verdicts = judge_idioms(&idioms, &files, &Rules::default());
    let time = began.elapsed();
    assert_eq!(verdicts.len(), idioms.required.len() + idioms.forbidden.len());
    println!("{}", time.as_secs_f64() * 1e3);
}
