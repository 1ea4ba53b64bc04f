//! Prints the schemas of all JSON that programs read and write, for docs/schemas: before each a line
//! `=== NAME`.

#![expect(clippy::print_stdout, reason = "printing is what it is for")]

fn main() {
    for (name, schema) in ftl_engine::json::schemas() {
        println!("=== {name}\n{:#}", schema.as_value());
    }
}
