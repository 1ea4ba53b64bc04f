//! What a build is about: a task, who writes, and how it ends if nothing disturbs it.

/// A task, and who writes. Fields that do not matter to it are those of [`Scenario::NONE`].
#[derive(Debug)]
pub struct Scenario {
    /// Its name in tables.
    pub name: &'static str,
    /// The elements of the task's `implementation`.
    pub task: &'static str,
    /// What is known to help against `AssertionError: limit is not 20`.
    pub fix: &'static str,
    /// The agent's script, if there is one. `step NAME` is where it can be made to wait.
    pub agent: &'static str,
    /// The patches, in their order.
    pub patches: &'static [&'static str],
    /// Other options of `ftl build`.
    pub options: &'static [&'static str],
    /// `ftl.toml`.
    pub configuration: &'static str,
    /// The files that may land, and directories on the way to them.
    pub own: &'static [&'static str],
    /// The options of `ftl reopen` that follows the first build, which is blocked.
    pub reopened: Option<&'static [&'static str]>,
    /// The outcome in the record's name.
    pub end: &'static str,
    /// Git's hooks: the name and the script of each. They may keep what they remember in `$HOME`.
    pub hooks: &'static [(&'static str, &'static str)],
    /// Other tasks that are built at the same time: their names and `implementation`. Their agents write as
    /// `BESIDE_AGENT` says.
    pub beside: &'static [(&'static str, &'static str)],
}

impl Scenario {
    /// The task is complete by what is there.
    pub const NONE: Self = Self {
        name: "",
        task: "",
        fix: "",
        agent: "",
        patches: &[],
        options: &["--checker", "embedded"],
        configuration: "",
        own: &["calc.py", "more", "more/made.py"],
        reopened: None,
        end: "complete",
        hooks: &[],
        beside: &[],
    };

    /// Where the agent can be made to wait.
    #[must_use]
    pub fn places(&self) -> &'static [&'static str] {
        if self.agent.contains("step ") { &["before", "amid", "after"] } else { &[] }
    }

    /// What the names of its task files begin with.
    pub fn tasks(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once("001_").chain(self.beside.iter().map(|task| task.0))
    }

    /// Whether the task is committed.
    #[must_use]
    pub fn commits(&self) -> bool {
        self.options.contains(&"--commit")
    }

    pub(super) fn document(&self, implementation: &str) -> String {
        let knowledge = match self.fix {
            "" => String::new(),
            fix => format!(
                "<prior_knowledge><failure name=\"limit\" cost=\"1\" injected=\"true\">\
                 <trigger>AssertionError: limit is not 20</trigger>{fix}</failure></prior_knowledge>"
            ),
        };
        format!(
            "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<workspace status=\"active\">\n\
             <implementation>{implementation}</implementation>\n{knowledge}\n<delivered></delivered>\n</workspace>\n"
        )
    }
}
