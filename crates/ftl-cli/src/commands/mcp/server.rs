//! The protocol: which tools there are, and a call's way to the thread that performs it.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use ftl_engine::tools::{Answer, Tool};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation,
    ListToolsResult, PaginatedRequestParams, ProgressNotificationParam, ServerCapabilities,
    ServerConfig, ToolAnnotations,
};
use rmcp::service::{QuitReason, RequestContext, ServerInitializeError};
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt};
use serde_json::{Map, Value};
use tokio::runtime::Builder;
use tokio::sync::oneshot;

use super::project::ProjectTool;

/// Bytes of a message: a file as JSON, with room for its escapes.
const MAX_MESSAGE: usize = 32 << 20;

/// Interval between reports to a client, which asked for them, that its call goes on: some give one up after a minute of silence.
const PROGRESS: Duration = Duration::from_secs(2);

/// How often to look whether the client cancelled a call.
const TURN: Duration = Duration::from_millis(200);

/// A tool of the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Served {
    /// Of a task.
    Task(Tool),
    /// Of the project.
    Project(ProjectTool),
}

impl Served {
    fn name(self) -> &'static str {
        match self {
            Self::Task(tool) => tool.as_str(),
            Self::Project(tool) => tool.name(),
        }
    }

    fn described(self) -> rmcp::model::Tool {
        let (description, arguments, title, reads) = match self {
            Self::Task(tool) => {
                (tool.description(), tool.arguments(), tool.title(), tool.only_reads())
            }
            Self::Project(tool) => {
                (tool.description(), tool.arguments(), tool.title(), tool == ProjectTool::Tasks)
            }
        };
        // Its own command may take long, but it removes nothing that a person could not get back.
        let annotations = ToolAnnotations::with_title(title)
            .read_only(reads)
            .destructive(false)
            .open_world(false);
        rmcp::model::Tool::new(self.name(), description, Arc::new(arguments))
            .with_title(title)
            .with_annotations(annotations)
    }
}

/// A call that waits to be performed.
pub(super) struct Job {
    pub(super) tool: Served,
    pub(super) arguments: Map<String, Value>,
    pub(super) is_cancelled: Arc<AtomicBool>,
    pub(super) answer: oneshot::Sender<Answer>,
}

/// The tools, as clients see them.
pub(super) struct Server {
    introduction: String,
    tools: Vec<Served>,
    jobs: Sender<Job>,
}

impl Server {
    pub(super) fn new(introduction: String, tools: Vec<Served>, jobs: Sender<Job>) -> Self {
        Self { introduction, tools, jobs }
    }

    /// Serves the client on standard input and output until it is gone.
    ///
    /// # Errors
    ///
    /// What kept it from serving, in one line.
    pub(super) fn serve(self) -> Result<(), String> {
        let runtime = Builder::new_current_thread()
            .enable_time()
            .build()
            .map_err(|error| error.to_string())?;
        let done = runtime.block_on(async {
            let transport = AsyncRwTransport::new(tokio::io::stdin(), tokio::io::stdout())
                .with_max_line_length(MAX_MESSAGE);
            let service = match ServiceExt::<RoleServer>::serve(self, transport).await {
                Ok(service) => service,
                // A client that leaves before it said anything wanted nothing.
                Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
                Err(error) => return Err(error.to_string()),
            };
            match service.waiting().await {
                Ok(QuitReason::JoinError(error)) | Err(error) => Err(error.to_string()),
                Ok(_) => Ok(()),
            }
        });
        // Its thread may still wait for a line that never comes.
        runtime.shutdown_background();
        done
    }

    /// Has the call performed, reports its progress, and ends it when the client cancels it.
    async fn perform(
        &self,
        tool: Served,
        arguments: Map<String, Value>,
        context: &RequestContext<RoleServer>,
    ) -> io::Result<Answer> {
        let (answer, mut answered) = oneshot::channel();
        let is_cancelled = Arc::new(AtomicBool::new(false));
        let job = Job { tool, arguments, is_cancelled: Arc::clone(&is_cancelled), answer };
        let gone = || io::Error::other("the tools are not served any more");
        self.jobs.send(job).map_err(|_| gone())?;
        let (begun, mut reported) = (Instant::now(), Duration::ZERO);
        loop {
            if let Ok(answer) = tokio::time::timeout(TURN, &mut answered).await {
                return answer.map_err(|_| gone());
            }
            is_cancelled.fetch_or(context.ct.is_cancelled(), Ordering::Relaxed);
            let since = begun.elapsed();
            if since.saturating_sub(reported) >= PROGRESS {
                reported = since;
                report(tool, since, context).await;
            }
        }
    }
}

/// Reports that a call goes on, to a client that asked for it.
async fn report(tool: Served, since: Duration, context: &RequestContext<RoleServer>) {
    let Some(token) = context.meta.get_progress_token() else {
        return;
    };
    let seconds = since.as_secs();
    let message = format!("{}: {seconds} s", tool.name());
    let progress = ProgressNotificationParam::new(token, since.as_secs_f64());
    // A client that is gone needs none.
    drop(context.peer.notify_progress(progress.with_message(message)).await);
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let tools = ServerCapabilities::builder().enable_tools().build();
        let mut info = ServerConfig::new(tools);
        info.server_info = Implementation::new("ftl", env!("CARGO_PKG_VERSION"));
        info.instructions = Some(self.introduction.clone());
        info
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(
            self.tools.iter().map(|tool| tool.described()).collect(),
        ))
    }

    async fn call_tool(
        &self,
        call: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let tool = self.tools.iter().find(|tool| tool.name() == call.name);
        let Some(&tool) = tool else {
            let known: Vec<&str> = self.tools.iter().map(|tool| tool.name()).collect();
            let message = format!("there is no such tool: ftl has {}", known.join(", "));
            return Err(ErrorData::invalid_params(message, None));
        };
        let done = self.perform(tool, call.arguments.unwrap_or_default(), &context).await;
        let answer = done.map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
        let mut content = vec![ContentBlock::text(answer.text)];
        content.extend(answer.note.map(|note| ContentBlock::text(format!("[{note}]"))));
        Ok(if answer.failed {
            CallToolResult::error(content)
        } else {
            CallToolResult::success(content)
        }
        .into())
    }
}
