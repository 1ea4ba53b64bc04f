//! One build as data. How it is run: `run`.

/// What of the output can be chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Output {
    /// `--format` and `--events`, as `ftl build` has them.
    Build,
    /// `--format` alone.
    Format,
    /// Neither.
    Fixed,
}

/// The two runs of a build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    /// Without `--format`.
    Human,
    /// `--format json`.
    Json,
}

/// A project, and what is run in it. `calc.py` and the task 001 are there unless replaced.
#[derive(Clone, Copy, Debug)]
pub(super) struct Build {
    pub(super) name: &'static str,
    /// The elements of `implementation`.
    pub(super) task: &'static str,
    /// The tool calls allowed, where the elements do not say so.
    pub(super) budget: &'static str,
    /// The elements after it.
    pub(super) more: &'static str,
    /// The fix of the one known failure, where there is one.
    pub(super) fix: &'static str,
    /// The whole document in place of all of these.
    pub(super) document: &'static str,
    pub(super) files: &'static [(&'static str, &'static str)],
    pub(super) agent: &'static str,
    pub(super) patches: &'static [&'static str],
    pub(super) git: bool,
    /// Run in the project once it is laid out and committed.
    pub(super) world: &'static str,
    /// Runs `$FTL` with the words in `"$@"`.
    pub(super) script: &'static str,
    pub(super) words: &'static [&'static str],
    pub(super) options: &'static [&'static str],
    pub(super) output: Output,
}

/// The build of a task that its tree fulfils already.
pub(super) const fn build(name: &'static str) -> Build {
    Build {
        name,
        task: "<delta>calc.py</delta><verify>grep -q LIMIT calc.py</verify><budget>9</budget>",
        budget: "",
        more: "",
        fix: "",
        document: "",
        files: &[],
        agent: "",
        patches: &[],
        git: false,
        world: "",
        script: "\"$FTL\" \"$@\"",
        words: &["build", "001"],
        options: &[],
        output: Output::Build,
    }
}

/// Another command than `ftl build`.
pub(super) const fn command(name: &'static str, words: &'static [&'static str]) -> Build {
    let mut build = build(name);
    build.words = words;
    build.output = Output::Format;
    build
}

/// Each sets what its name says.
impl Build {
    pub(super) const fn task(mut self, elements: &'static str) -> Self {
        self.task = elements;
        self
    }

    /// A budget besides these elements.
    pub(super) const fn budget(mut self, calls: &'static str) -> Self {
        self.budget = calls;
        self
    }

    pub(super) const fn more(mut self, elements: &'static str) -> Self {
        self.more = elements;
        self
    }

    /// The verify fails with a known error until the limit is 20, which `fix` is known for.
    pub(super) const fn wants_twenty(mut self, fix: &'static str) -> Self {
        self.task = "<delta>calc.py</delta><budget>9</budget><verify>grep -q 'LIMIT = 20' calc.py \
                     || { echo 'AssertionError: limit is not 20'; exit 1; }</verify>";
        self.fix = fix;
        self
    }

    /// What is known to help against `AssertionError: limit is not 20`.
    pub(super) const fn fix(mut self, element: &'static str) -> Self {
        self.fix = element;
        self
    }

    pub(super) const fn document(mut self, text: &'static str) -> Self {
        self.document = text;
        self
    }

    pub(super) const fn files(mut self, files: &'static [(&'static str, &'static str)]) -> Self {
        self.files = files;
        self
    }

    pub(super) const fn agent(mut self, script: &'static str) -> Self {
        self.agent = script;
        self
    }

    pub(super) const fn patches(mut self, patches: &'static [&'static str]) -> Self {
        self.patches = patches;
        self
    }

    pub(super) const fn git(mut self) -> Self {
        self.git = true;
        self
    }

    pub(super) const fn world(mut self, script: &'static str) -> Self {
        self.world = script;
        self
    }

    pub(super) const fn script(mut self, script: &'static str) -> Self {
        self.script = script;
        self
    }

    pub(super) const fn words(mut self, words: &'static [&'static str]) -> Self {
        self.words = words;
        self
    }

    pub(super) const fn options(mut self, options: &'static [&'static str]) -> Self {
        self.options = options;
        self
    }

    pub(super) const fn fixed(mut self) -> Self {
        self.output = Output::Fixed;
        self
    }
}

impl Build {
    /// The runs that show all of what it can say.
    pub(super) const fn formats(&self) -> &'static [Format] {
        match self.output {
            Output::Build | Output::Format => &[Format::Human, Format::Json],
            Output::Fixed => &[Format::Human],
        }
    }
}
