//! Builds that complete, with what is configured, known and replied besides the work.

use super::super::build::{Build, build};

const WRITES: &str = "echo 'LIMIT = 20' > calc.py";

pub(super) const BUILDS: &[Build] = &[
    build("a summary by reply").agent(
        "echo 'LIMIT = 20' > calc.py\n\
         printf '{\"summary\": \"the limit is <20> & so on\\\\nsecond line\"}' > \"$FTL_REPLY\"",
    ),
    build("utilized memories")
        .more(
            "<prior_knowledge><failure name=\"f\" cost=\"12\"><trigger>t</trigger><fix>x</fix></failure>\
             <pattern name=\"p\" saved=\"3\"><trigger>t</trigger><insight>i</insight></pattern></prior_knowledge>",
        )
        .agent(
            "echo 'LIMIT = 20' > calc.py\n\
             echo '{\"utilized\": [{\"name\": \"p\", \"type\": \"pattern\"}, {\"name\": \"f\", \"type\": \"failure\"}, \
             {\"name\": \"unknown\", \"type\": \"pattern\"}]}' > \"$FTL_REPLY\"",
        ),
    build("contexts and lineage in the prompt")
        .more(
            "<code_context path=\"calc.py\" lines=\"1-1\"><content>LIMIT = 10</content><exports>LIMIT</exports>\
             <imports/></code_context><code_context path=\"other.py\"><content>x</content></code_context>\
             <lineage><parent seq=\"000\" workspace=\"000_base_complete\"><prior_delivery>the base</prior_delivery>\
             </parent></lineage>",
        )
        .agent(WRITES),
    build("a framework's idioms, undecided")
        .more("<idioms framework=\"flask\"><required>@app.route decorator</required></idioms>")
        .agent(WRITES),
    build("everything at once")
        .task(
            "<delta>calc.py</delta><delta>more.py</delta><verify>grep -q 20 calc.py</verify><budget>9</budget>\
             <verify_source>calc.py</verify_source><preflight>true</preflight><preflight>test -f calc.py</preflight>",
        )
        .more(
            "<code_context path=\"calc.py\"><exports>LIMIT</exports></code_context>\
             <idioms framework=\"none\" confidence=\"0.9\"><required regex=\"^LIMIT\">a limit</required>\
             <forbidden regex=\"print\">print</forbidden></idioms>\
             <prior_knowledge><pattern name=\"p\"><trigger>t</trigger><insight>i</insight></pattern></prior_knowledge>",
        )
        .git()
        .agent("echo 'LIMIT = 20' > calc.py; echo 'A = 1' > more.py"),
    build("a literal checker").agent(WRITES).options(&["--checker", "literal"]),
    build("the toolchain as checker").agent(WRITES).options(&["--checker", "toolchain"]),
    build("the embedded checker").agent(WRITES).options(&["--checker", "embedded"]),
];
