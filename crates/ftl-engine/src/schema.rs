//! The schemas of all JSON that programs read and write, made from the types.

use ftl_xml::ParsedWorkspace;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};

use crate::protocol::{AgentReply, AgentRequest};
use crate::result::{
    BuildResult, EventLine, Failed, Overview, PreflightReport, Results, Validation,
};

/// Every schema, by the name of its file in docs/schemas, with a title that says what it is of.
pub fn schemas() -> Vec<(&'static str, Schema)> {
    let written = SchemaSettings::draft2020_12().for_serialize();
    let read = SchemaSettings::draft2020_12().for_deserialize();
    let several = "`ftl build --format json`, several workspaces";
    let failed = "any command with `--format json` that could not begin or go on";
    vec![
        (
            "build",
            of::<BuildResult>(&written, "`ftl build --format json`, one workspace"),
        ),
        ("results", of::<Results>(&written, several)),
        ("failed", of::<Failed>(&written, failed)),
        (
            "event",
            of::<EventLine<'_>>(&written, "a line of `ftl build --events`"),
        ),
        (
            "preflight",
            of::<PreflightReport>(&written, "`ftl preflight --format json`"),
        ),
        (
            "validate",
            of::<Validation>(&written, "`ftl workspace validate --format json`"),
        ),
        (
            "status",
            of::<Overview>(&written, "`ftl status --format json`"),
        ),
        (
            "workspace",
            of::<ParsedWorkspace<'_>>(&written, "`ftl workspace parse`"),
        ),
        (
            "agent-request",
            of::<AgentRequest<'_>>(&written, "the file that `FTL_REQUEST` names"),
        ),
        (
            "agent-reply",
            of::<AgentReply>(&read, "the file that `FTL_REPLY` names"),
        ),
    ]
}

fn of<T: JsonSchema>(settings: &SchemaSettings, title: &str) -> Schema {
    let generator = settings.clone().into_generator();
    let mut schema = generator.into_root_schema_for::<T>();
    schema.insert("title".to_owned(), title.into());
    schema
}
