//! Agents that ftl knows how to call, each by a shell command.
//!
//! A preset is only a default: `[agent.NAME] command` in `ftl.toml` replaces it.

/// A coding agent by the name of its program.
#[derive(Debug)]
pub(super) struct Preset {
    /// The program, and the name that it is asked for by.
    pub(super) name: &'static str,
    /// The shell command: reads the task on standard input, edits files, asks nobody, commits
    /// nothing. `"$@"` are the delta files.
    pub(super) command: &'static str,
}

/// Every preset. Each allows edits, and no more of the agent's own tools than its command line can
/// leave out: running the tests is not the agent's part.
pub(super) const ALL: &[Preset] = &[
    Preset {
        name: "claude",
        command: "claude -p --permission-mode acceptEdits",
    },
    Preset {
        name: "codex",
        command: "codex exec --skip-git-repo-check -s workspace-write -",
    },
    Preset {
        name: "gemini",
        command: "GEMINI_CLI_TRUST_WORKSPACE=true gemini --approval-mode auto_edit \
                  -p 'Do the task that is given on standard input.'",
    },
    Preset {
        name: "qwen",
        command: "qwen --approval-mode auto-edit -p 'Do the task that is given on standard input.'",
    },
    Preset {
        name: "opencode",
        command: "opencode run 'Do the following task.'",
    },
    Preset {
        name: "aider",
        command: "aider --message-file \"$FTL_PROMPT\" --yes-always --no-gitignore \
                  --no-auto-commits --no-dirty-commits --no-stream --no-pretty --no-check-update \
                  --analytics-disable --no-show-model-warnings --no-detect-urls \
                  --no-suggest-shell-commands --input-history-file /dev/null \
                  --chat-history-file /dev/null --map-tokens 0 \"$@\"",
    },
];

impl Preset {
    /// The preset of a name.
    pub(super) fn named(name: &str) -> Option<&'static Self> {
        ALL.iter().find(|preset| preset.name == name)
    }
}

#[cfg(test)]
mod tests {
    use super::ALL;

    #[test]
    fn every_preset_starts_the_program_that_it_is_named_after() {
        for preset in ALL {
            let program = preset.command.split(' ').find(|word| !word.contains('='));
            assert_eq!(program, Some(preset.name));
        }
    }
}
