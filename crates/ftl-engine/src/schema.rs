//! The schemas of all JSON that programs read and write, made from the types.
//!
//! Their descriptions are the types' own documentation, so a comment there is part of docs/schemas. The
//! journal has no schema: only ftl reads it.

use ftl_xml::ParsedWorkspace;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};

use crate::protocol::{
    AgentReply, AgentRequest, IdiomReply, IdiomRequest, JudgeReply, JudgeRequest,
};
use crate::result::{
    Actions, AgentList, BuildResult, Examination, Failed, KnowledgeList, KnowledgeTest,
    LanguageList, Overview, PlanResult, PreflightReport, Results, StreamLine, TaskHistory,
    Validation,
};

/// Every schema, by the name of its file in docs/schemas. What prints or reads the JSON is for the docs
/// to say.
pub fn schemas() -> Vec<(&'static str, Schema)> {
    let written = SchemaSettings::draft2020_12().for_serialize();
    let read = SchemaSettings::draft2020_12().for_deserialize();
    vec![
        ("build", of::<BuildResult>(&written)),
        ("results", of::<Results>(&written)),
        ("failed", of::<Failed>(&written)),
        ("event", of::<StreamLine<'_>>(&written)),
        ("preflight", of::<PreflightReport>(&written)),
        ("languages", of::<LanguageList>(&written)),
        ("validate", of::<Validation>(&written)),
        ("status", of::<Overview>(&written)),
        ("planned", of::<PlanResult>(&written)),
        ("doctor", of::<Examination>(&written)),
        ("show", of::<TaskHistory>(&written)),
        ("agents", of::<AgentList>(&written)),
        ("actions", of::<Actions>(&written)),
        ("knowledge-list", of::<KnowledgeList>(&written)),
        ("knowledge-test", of::<KnowledgeTest>(&written)),
        ("workspace", of::<ParsedWorkspace<'_>>(&written)),
        ("agent-request", of::<AgentRequest<'_>>(&written)),
        ("agent-reply", of::<AgentReply>(&read)),
        ("judge-request", of::<JudgeRequest<'_>>(&written)),
        ("judge-reply", of::<JudgeReply>(&read)),
        ("idiom-request", of::<IdiomRequest<'_>>(&written)),
        ("idiom-reply", of::<IdiomReply>(&read)),
    ]
}

fn of<T: JsonSchema>(settings: &SchemaSettings) -> Schema {
    settings.clone().into_generator().into_root_schema_for::<T>()
}
