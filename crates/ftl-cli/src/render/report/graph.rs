//! The dependencies of tasks as a drawing: a column for each step of a chain, what comes first on the left.

use std::collections::BTreeMap;

use ftl_engine::result::TaskHistory;
use ftl_text::shortened;
use maud::{Markup, html};

use super::html::{Texts, name_of};

/// Tasks that are drawn; the table has all of them.
const MOST: usize = 150;
/// Columns and rows, with the space between them.
const ACROSS: usize = 210;
const DOWN: usize = 44;

/// The drawing of the tasks that wait for others, or that others wait for; empty if there are none.
pub(super) fn draw(texts: &Texts, tasks: &[&TaskHistory]) -> Markup {
    let by_number: BTreeMap<&str, usize> =
        tasks.iter().enumerate().map(|(index, task)| (task.id.seq(), index)).collect();
    let before: Vec<Vec<usize>> = tasks
        .iter()
        .map(|task| {
            let known = task.depends.iter();
            known.filter_map(|seq| by_number.get(seq.as_str()).copied()).collect()
        })
        .collect();
    let is_named = |index: usize| before.iter().any(|list| list.contains(&index));
    let drawn: Vec<usize> = (0..tasks.len())
        .filter(|index| !before[*index].is_empty() || is_named(*index))
        .take(MOST)
        .collect();
    if drawn.is_empty() {
        return Markup::default();
    }
    let places = places(&drawn, &before);
    let columns = places.values().map(|(column, _)| column + 1).max();
    let rows = places.values().map(|(_, row)| row + 1).max();
    let (width, height) = (columns.unwrap_or(0) * ACROSS, rows.unwrap_or(0) * DOWN);
    let label = "Dependencies of tasks, as in the table";
    html! {
        h2 #graph { "Dependencies" }
        div .w tabindex="0" {
            svg role="img" aria-label=(label) width=(width) height=(height) {
                @for (index, to) in &places {
                    @for from in before[*index].iter().filter_map(|from| places.get(from)) {
                        path d=(curve(*from, *to)) {}
                    }
                }
                @for (index, (column, row)) in &places {
                    @let task = tasks[*index];
                    @let (x, y) = (column * ACROSS, row * DOWN);
                    a class=(task.status) href={ "#" (name_of(task.id.as_str())) } {
                        rect rx="6" width="170" height="36" x=(x) y=(y) {}
                        text x=(x + 8) y=(y + 22) {
                            (texts.safe(&shortened(task.id.as_str(), 24)))
                        }
                    }
                }
            }
        }
    }
}

/// The line from the right of one task to the left of another, by their columns and rows.
fn curve(from: (usize, usize), to: (usize, usize)) -> String {
    let (x1, y1) = (from.0 * ACROSS + 170, from.1 * DOWN + 18);
    let (x2, y2) = (to.0 * ACROSS, to.1 * DOWN + 18);
    let middle = x1.midpoint(x2);
    format!("M{x1} {y1}C{middle} {y1} {middle} {y2} {x2} {y2}")
}

/// A column and a row for each task. The column is the longest chain before it; a task in a circle stays where
/// it is found.
fn places(drawn: &[usize], before: &[Vec<usize>]) -> BTreeMap<usize, (usize, usize)> {
    let mut columns: BTreeMap<usize, usize> = drawn.iter().map(|index| (*index, 0)).collect();
    // As many rounds as the longest chain can have; a circle ends with them.
    for _ in 0..drawn.len() {
        let mut changed = false;
        for index in drawn {
            let firsts = before[*index].iter().filter_map(|first| columns.get(first));
            let column = firsts.max().map_or(0, |column| column + 1).min(drawn.len() - 1);
            if columns.insert(*index, column) != Some(column) {
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    let mut rows: BTreeMap<usize, usize> = BTreeMap::new();
    let place = |(index, column): (usize, usize)| {
        let row = rows.entry(column).or_default();
        *row += 1;
        (index, (column, *row - 1))
    };
    columns.into_iter().map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::places;

    #[test]
    fn a_task_is_right_of_those_before_it_and_a_circle_ends() {
        let before = vec![vec![], vec![0], vec![0, 1], vec![4], vec![3]];
        let places = places(&[0, 1, 2], &before);
        assert_eq!(places[&0], (0, 0));
        assert_eq!(places[&1], (1, 0));
        assert_eq!(places[&2], (2, 0));
        let circle = super::places(&[3, 4], &before);
        assert!(circle.values().all(|(column, _)| *column < 2));
    }
}
