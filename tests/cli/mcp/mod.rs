//! `ftl mcp`, driven by the client of the protocol's own SDK, and by agents that a build asks.

mod hostile;
mod in_a_build;
mod own_agent;

use std::path::Path;
use std::process::Stdio;

use ftl_testkit::program::Program;
use rmcp::model::{CallToolRequestParams, CallToolResult, ProgressNotificationParam, Tool};
use rmcp::service::{NotificationContext, RunningService};
use rmcp::{ClientHandler, RoleClient, ServiceError, ServiceExt};
use serde_json::{Value, json};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc;

use crate::support::{FTL, Project, STATE};

/// Takes what the server reports of calls under way.
struct Listener(mpsc::UnboundedSender<String>);

impl ClientHandler for Listener {
    async fn on_progress(
        &self,
        progress: ProgressNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        drop(self.0.send(progress.message.unwrap_or_default()));
    }
}

/// A client, connected.
struct Client {
    service: Option<RunningService<RoleClient, Listener>>,
    progress: mpsc::UnboundedReceiver<String>,
    runtime: Runtime,
    child: tokio::process::Child,
}

/// What a call came to.
#[derive(Debug, PartialEq)]
struct Said {
    failed: bool,
    text: String,
}

impl Client {
    fn of(project: &Project, words: &[&str]) -> Self {
        Self::with(project, words, &[])
    }

    fn with(project: &Project, words: &[&str], env: &[(&str, &str)]) -> Self {
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        let (sender, progress) = mpsc::unbounded_channel();
        let (service, child) = runtime.block_on(async {
            let mut command = tokio::process::Command::new(FTL);
            command
                .arg("mcp")
                .args(words)
                .current_dir(project.path())
                .env("XDG_STATE_HOME", STATE)
                .env("GIT_CONFIG_GLOBAL", "/dev/null")
                .envs(env.iter().copied())
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .kill_on_drop(true);
            let mut child = command.spawn().unwrap();
            let transport = (child.stdout.take().unwrap(), child.stdin.take().unwrap());
            (Listener(sender).serve(transport).await.unwrap(), child)
        });
        Self { service: Some(service), progress, runtime, child }
    }

    fn service(&self) -> &RunningService<RoleClient, Listener> {
        self.service.as_ref().unwrap()
    }

    fn tools(&self) -> Vec<Tool> {
        let listed = self.service().list_all_tools();
        self.runtime.block_on(listed).unwrap()
    }

    fn names(&self) -> Vec<String> {
        self.tools().iter().map(|tool| tool.name.to_string()).collect()
    }

    fn try_call(&self, tool: &str, arguments: Value) -> Result<Said, ServiceError> {
        let mut call = CallToolRequestParams::new(tool.to_owned());
        call.arguments = arguments.as_object().cloned();
        let done: CallToolResult = self.runtime.block_on(self.service().call_tool(call))?;
        let texts = done.content.iter().filter_map(|block| block.as_text());
        let texts: Vec<&str> = texts.map(|text| text.text.as_str()).collect();
        Ok(Said { failed: done.is_error == Some(true), text: texts.join("\n") })
    }

    fn call(&self, tool: &str, arguments: Value) -> Said {
        self.try_call(tool, arguments).unwrap()
    }

    /// The answer to a call that is not refused.
    #[track_caller]
    fn good(&self, tool: &str, arguments: Value) -> String {
        let said = self.call(tool, arguments);
        assert!(!said.failed, "{said:?}");
        said.text
    }

    #[track_caller]
    fn refused(&self, tool: &str, arguments: Value) -> String {
        let said = self.call(tool, arguments);
        assert!(said.failed, "{said:?}");
        said.text
    }

    /// Hangs up, and gives the exit code.
    fn close(mut self) -> Option<i32> {
        let service = self.service.take().unwrap();
        self.runtime.block_on(service.cancel()).unwrap();
        self.runtime.block_on(self.child.wait()).unwrap().code()
    }
}

/// A project of two files, with a task that may change one and create another.
fn calculator() -> Project {
    let project = Project::empty();
    project.write("calc.py", "def add(a, b):\n    return a - b\n");
    project.write("docs/notes.txt", "one\ntwo\nthree\n");
    project.write(".ftl/workspace/001_add_active.xml", calculator_task(20, VERIFY));
    project
}

const VERIFY: &str = "grep -q 'a + b' calc.py";

fn calculator_task(budget: i64, verify: &str) -> String {
    format!(
        "<workspace status=\"active\"><objective>make add add</objective><implementation>\
         <delta>calc.py</delta><delta>new/made.py</delta><verify>{}</verify><budget>{budget}</budget>\
         </implementation><prior_knowledge><failure name=\"minus\" cost=\"1\"><trigger>it subtracts</trigger>\
         <fix>use plus</fix></failure></prior_knowledge><delivered/></workspace>\n",
        verify.replace('&', "&amp;").replace('<', "&lt;")
    )
}

/// Whether a process is still there.
fn is_alive(pid: u32) -> bool {
    Path::new(&format!("/proc/{pid}")).exists()
}

fn edit_to_plus() -> Value {
    json!({"path": "calc.py", "old": "a - b", "new": "a + b"})
}

/// Sends a signal.
fn signal(name: &str, pid: u32) {
    let kill = Program::new("sh", Path::new("/"));
    kill.args(["-c", &format!("kill -{name} {pid}")]).run().unwrap();
}
