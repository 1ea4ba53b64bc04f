//! The protocol: which tools there are, and a call's way to the thread that performs it.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::Sender;

use ftl_engine::tools::{Answer, Tool};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation,
    ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig, ToolAnnotations,
};
use rmcp::service::{QuitReason, RequestContext, ServerInitializeError};
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt};
use serde_json::{Map, Value};
use tokio::runtime::Builder;
use tokio::sync::oneshot;

/// Bytes of a message: a file as JSON, with room for its escapes.
const MAX_MESSAGE: usize = 32 << 20;

/// A call that waits to be performed.
pub(super) struct Job {
    pub(super) tool: Tool,
    pub(super) arguments: Map<String, Value>,
    pub(super) answer: oneshot::Sender<Answer>,
}

/// A task's tools, as clients see them.
pub(super) struct Server {
    introduction: String,
    tools: Vec<Tool>,
    jobs: Sender<Job>,
}

impl Server {
    pub(super) fn new(introduction: String, tools: Vec<Tool>, jobs: Sender<Job>) -> Self {
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

    fn described(&self) -> Vec<rmcp::model::Tool> {
        let describe = |tool: &Tool| {
            let arguments = Arc::new(tool.arguments());
            rmcp::model::Tool::new(tool.as_str(), tool.description(), arguments).with_annotations(
                ToolAnnotations::new().read_only(tool.only_reads()).open_world(false),
            )
        };
        self.tools.iter().map(describe).collect()
    }

    async fn perform(&self, tool: Tool, arguments: Map<String, Value>) -> io::Result<Answer> {
        let (answer, answered) = oneshot::channel();
        let job = Job { tool, arguments, answer };
        let gone = || io::Error::other("the tools are not served any more");
        self.jobs.send(job).map_err(|_| gone())?;
        answered.await.map_err(|_| gone())
    }
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
        Ok(ListToolsResult::with_all_items(self.described()))
    }

    async fn call_tool(
        &self,
        call: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let tool = Tool::named(&call.name).filter(|tool| self.tools.contains(tool));
        let Some(tool) = tool else {
            let known: Vec<&str> = self.tools.iter().map(|tool| tool.as_str()).collect();
            let message = format!("there is no such tool: ftl has {}", known.join(", "));
            return Err(ErrorData::invalid_params(message, None));
        };
        let done = self.perform(tool, call.arguments.unwrap_or_default()).await;
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
