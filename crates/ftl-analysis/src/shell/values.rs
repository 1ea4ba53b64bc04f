//! Exit codes that a script keeps and looks at: `rc=$?`, `exit $rc`, `[ $rc -eq 0 ]`, and options set on the way.

use super::program::is_flag;
use super::run::Run;
use super::syntax::expands;

impl Run<'_> {
    pub(super) fn set(&mut self, options: &[&str]) {
        let names = options.windows(2).filter(|pair| pair[0].ends_with('o'));
        for (is_on, name) in names.map(|pair| (pair[0].starts_with('-'), pair[1])) {
            match name {
                "errexit" => self.options.errexit = is_on,
                "pipefail" => self.options.pipefail = is_on,
                _ => {}
            }
        }
        if options.iter().any(|it| is_flag(it, 'e')) {
            self.options.errexit = true;
        }
        if options.iter().any(|it| it.starts_with('+') && it.contains('e')) {
            self.options.errexit = false;
        }
    }

    /// The exit code that a text expands to.
    pub(super) fn value(&self, text: &str) -> Option<i32> {
        let text = text.trim_matches(['"', '\'']);
        if let Ok(number) = text.parse() {
            return Some(number);
        }
        match text {
            "$?" | "${?}" => Some(self.last),
            "${PIPESTATUS[0]}" | "$PIPESTATUS" | "${pipestatus[1]}" => self.pipe.first().copied(),
            _ => {
                let name = text.trim_start_matches("$((").trim_start_matches(['$', '{', ' ']);
                let name = name.trim_end_matches("))").trim_end_matches(['}', ' ']);
                if let Some(value) = self.variables.get(name) {
                    return Some(*value);
                }
                let fails =
                    self.variables.iter().any(|(name, value)| *value != 0 && expands(text, name));
                (text.starts_with("$((") || text.contains("$?"))
                    .then(|| i32::from(fails || text.contains("$?") && self.last != 0))
            }
        }
    }

    /// What `A -eq B` and its like say of exit codes that are known.
    pub(super) fn comparison(&self, arguments: &[&str]) -> Option<bool> {
        let [left, operator, right, ..] = arguments else { return None };
        if !left.contains('$') && !right.contains('$') {
            return None;
        }
        let (left, right) = (self.value(left)?, self.value(right)?);
        match *operator {
            "-eq" | "=" | "==" => Some(left == right),
            "-ne" | "!=" => Some(left != right),
            "-gt" => Some(left > right),
            "-ge" => Some(left >= right),
            "-lt" => Some(left < right),
            "-le" => Some(left <= right),
            _ => None,
        }
    }
}
