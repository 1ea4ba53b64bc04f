//! Prints the machine's transition table in Markdown, for docs/transitions.md.

#![expect(clippy::print_stdout, reason = "printing is what it is for")]

fn main() {
    print!("{}", ftl_machine::graph::table());
}
