//! Builds that complete although their texts are odd.

use super::super::build::{Build, build};

pub(super) const BUILDS: &[Build] = &[
    build("names with blanks and beyond ASCII")
        .task("<delta>a b/ünï côdé 文.txt</delta><delta>-dash.txt</delta><verify>test -s ./-dash.txt</verify>")
        .agent("mkdir 'a b'; echo 'é' > 'a b/ünï côdé 文.txt'; echo dash > ./-dash.txt"),
    build("an output with colours, controls and no UTF-8")
        .task(
            "<delta>calc.py</delta>\
             <verify>printf '\\033[31mred\\033[0m\\001\\r\\n\\377\\376 ]]&gt; &lt;&amp;&gt;\\n'; exit 0</verify>",
        )
        .agent("printf 'LIMIT = 20\\r\\n' > calc.py; printf '\\033[1mbold\\377'"),
    build("an output that is long")
        .task("<delta>calc.py</delta><verify>seq 1 60000; echo the end</verify>")
        .agent("seq 1 20000; echo 'LIMIT = 20' > calc.py"),
    build("a document with everything that XML grants").document(
        "\u{feff}<?xml version='1.0' encoding='UTF-8'?>\r\n<!-- <workspace> -->\r\n\
         <workspace  id = '001-task'\r\n status=\"active\" created_at='2001-01-18T01:30:56'>\r\n\
         <objective>keep <![CDATA[<it> & ]]>&#233;&#x1F600;</objective>\r\n\
         <x:mine xmlns:x='urn:x'>text</x:mine>\r\n\
         <implementation><delta> ./calc.py </delta>\r\n<verify><![CDATA[true && true]]></verify></implementation>\r\n\
         <delivered>old <b/></delivered><?pi x?>\r\n</workspace>\r\n<!-- end -->",
    ),
    build("unknown elements")
        .task("<delta colour=\"red\">calc.py</delta><verify>true</verify><verfy>x</verfy><budget> 7 </budget>")
        .more("<notes>mine</notes>text<objective>twice</objective>"),
    build("an objective of several lines")
        .document(
            "<workspace id=\"999-other\" status=\"active\"><objective>one\n\ttwo \u{202e}odd\u{200b}\n\n- list</objective>\
             <implementation><delta>calc.py</delta><verify>\n  true\n  true\n</verify></implementation><delivered></delivered></workspace>",
        )
        .agent("cat > ../prompt; echo 'LIMIT = 20' > calc.py"),
    build("files without a last line end")
        .files(&[("calc.py", "LIMIT = 10")])
        .agent("printf 'LIMIT = 20\\nA = 1' > calc.py"),
    build("a file that is no text")
        .task("<delta>data.bin</delta><verify>true</verify>")
        .agent("printf '\\000\\377\\001' > data.bin"),
    build("an empty file").agent(": > calc.py").task("<delta>calc.py</delta><verify>true</verify>"),
];
