//! Counts of verdicts beside their labels, and the rates that follow from them.

/// How many of how many.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Share {
    pub(crate) right: usize,
    pub(crate) all: usize,
}

impl Share {
    pub(crate) fn count(&mut self, right: bool) {
        self.right += usize::from(right);
        self.all += 1;
    }

    /// All of `shares` together.
    pub(crate) fn sum<'a>(shares: impl Iterator<Item = &'a Self>) -> Self {
        shares.fold(Self::default(), |sum, share| Self {
            right: sum.right + share.right,
            all: sum.all + share.all,
        })
    }

    /// As text: `97 of 100 (97.0 %)`.
    pub(crate) fn words(self) -> String {
        let percent = 100.0 * self.right as f64 / self.all.max(1) as f64;
        format!("{} of {} ({percent:.1} %)", self.right, self.all)
    }
}

/// How often something was found where a label says that it is there, or is not.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Detection {
    pub(crate) right: usize,
    pub(crate) wrong: usize,
    pub(crate) missed: usize,
    pub(crate) absent: usize,
}

impl Detection {
    pub(crate) fn count(&mut self, is_found: bool, is_there: bool) {
        match (is_found, is_there) {
            (true, true) => self.right += 1,
            (true, false) => self.wrong += 1,
            (false, true) => self.missed += 1,
            (false, false) => self.absent += 1,
        }
    }

    /// The share of what was found that is there.
    pub(crate) fn precision(self) -> f64 {
        self.right as f64 / (self.right + self.wrong).max(1) as f64
    }

    /// The share of what is there that was found.
    pub(crate) fn recall(self) -> f64 {
        self.right as f64 / (self.right + self.missed).max(1) as f64
    }

    pub(crate) fn words(self) -> String {
        let Self { right, wrong, missed, .. } = self;
        format!(
            "precision {:.3} ({right} of {}), recall {:.3} ({right} of {})",
            self.precision(),
            right + wrong,
            self.recall(),
            right + missed,
        )
    }
}
