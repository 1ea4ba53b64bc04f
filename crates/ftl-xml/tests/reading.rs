//! Which documents are read, and what is said of the others, and where.

use ftl_model::SourcePosition;
use ftl_testkit::random::Rng;
use ftl_xml::{limits, read};

use crate::generator::document;

/// A document, the code of its fault, and its line and column.
type Refused = (&'static str, &'static str, usize, usize);

const REFUSED: &[Refused] = &[
    ("", "xml::root", 1, 1),
    (" \n", "xml::root", 2, 1),
    ("<!-- only -->", "xml::root", 1, 14),
    ("text", "xml::root", 1, 1),
    ("<w/>\ntext", "xml::root", 2, 1),
    ("<w/><w/>", "xml::root", 1, 5),
    ("<w/>&amp;", "xml::root", 1, 5),
    ("<w/><![CDATA[x]]>", "xml::root", 1, 5),
    ("<w>", "xml::unclosed", 1, 1),
    ("<w>\n <a>\n</w>", "xml::end_tag", 3, 1),
    ("<w></w></w>", "xml::end_tag", 1, 8),
    ("</w>", "xml::end_tag", 1, 1),
    ("<w></w x='1'>", "xml::tag", 1, 8),
    ("<w", "xml::tag", 1, 1),
    ("<w a='1>", "xml::tag", 1, 1),
    ("<w>a < b</w>", "xml::name", 1, 7),
    ("<w>\n<1a/></w>", "xml::name", 2, 2),
    ("<w><a:/></w>", "xml::namespace", 1, 5),
    ("<w a/>", "xml::attribute", 1, 5),
    ("<w a=1/>", "xml::attribute", 1, 6),
    ("<w a='1'b='2'/>", "xml::attribute", 1, 9),
    ("<w a='<'/>", "xml::attribute", 1, 7),
    ("<w =''/>", "xml::name", 1, 4),
    ("<w a='&'/>", "xml::reference", 1, 7),
    ("<w a='1'\n   a='2'/>", "xml::duplicate_attribute", 2, 4),
    ("<w xmlns:p='u' xmlns:q='u' p:a='' q:a=''/>", "xml::duplicate_attribute", 1, 35),
    ("<w>a & b</w>", "xml::reference", 1, 6),
    ("<w>&nbsp;</w>", "xml::reference", 1, 4),
    ("<w>&#27;</w>", "xml::reference", 1, 4),
    ("<w>&#xD800;</w>", "xml::reference", 1, 4),
    ("<w>&amp</w>", "xml::reference", 1, 4),
    ("<w>&", "xml::reference", 1, 4),
    ("<w>ü]]></w>", "xml::section", 1, 5),
    ("<w>\u{1b}[31m</w>", "xml::character", 1, 4),
    ("<w>\n\u{fffe}</w>", "xml::character", 2, 1),
    ("<w><!-- a -- b --></w>", "xml::comment", 1, 4),
    ("<w><!-- a ---></w>", "xml::comment", 1, 4),
    ("<w><!-- a", "xml::comment", 1, 4),
    ("<w><![CDATA[ a", "xml::section", 1, 4),
    ("<w><![cdata[a]]></w>", "xml::section", 1, 4),
    ("<w><!ELEMENT a></w>", "xml::section", 1, 4),
    ("<w><? a?></w>", "xml::name", 1, 6),
    ("<w><?a", "xml::instruction", 1, 4),
    ("<w><?a!b?></w>", "xml::instruction", 1, 4),
    ("<w><?XML a?></w>", "xml::instruction", 1, 4),
    ("<w><?a:b?></w>", "xml::instruction", 1, 4),
    (" <?xml version='1.0'?><w/>", "xml::declaration", 1, 2),
    ("<?xml?><w/>", "xml::declaration", 1, 1),
    ("<?xml encoding='utf-8'?><w/>", "xml::declaration", 1, 1),
    ("<?xml encoding='utf-8' version='1.0'?><w/>", "xml::declaration", 1, 1),
    ("<?xml version='1.0' standalone='maybe'?><w/>", "xml::declaration", 1, 1),
    ("<?xml version='1.0'encoding='utf-8'?><w/>", "xml::declaration", 1, 1),
    ("<?xml version='2.0'?><w/>", "xml::version", 1, 16),
    ("<?xml version='1.'?><w/>", "xml::version", 1, 16),
    ("<?xml version='1.0' encoding='latin-1'?><w/>", "xml::encoding", 1, 31),
    ("<!DOCTYPE w><w/>", "xml::doctype", 1, 1),
    ("<?xml version='1.0'?>\n<!DOCTYPE w [<!ENTITY a 'b'>]>\n<w/>", "xml::doctype", 2, 1),
    ("<p:w/>", "xml::namespace", 1, 2),
    ("<w p:a=''/>", "xml::namespace", 1, 4),
    ("<w xmlns:p=''/>", "xml::namespace", 1, 4),
    ("<w xmlns:xml='u'/>", "xml::namespace", 1, 4),
    ("<w xmlns:xmlns='u'/>", "xml::namespace", 1, 4),
    ("<w xmlns='http://www.w3.org/2000/xmlns/'/>", "xml::namespace", 1, 4),
    ("<w a:b:c=''/>", "xml::namespace", 1, 4),
    ("<xmlns:w/>", "xml::namespace", 1, 2),
    ("<w><a xmlns:p='u'/><p:b/></w>", "xml::namespace", 1, 21),
    ("\u{feff}\u{feff}<w/>", "xml::byte_order_mark", 1, 1),
    ("\u{feff}<w>\u{feff}<a></w>", "xml::end_tag", 1, 8),
];

#[test]
fn errors_are_named_and_pointed_at() {
    let mut wrong = Vec::new();
    for &(document, code, line, column) in REFUSED {
        let error = read(document.as_bytes()).expect_err(document);
        let found = (error.code(), error.place.line, error.place.column);
        if found != (code, line, column) {
            wrong.push((document, found));
        }
        assert!(error.place.end <= document.len(), "{document}");
        assert!(!error.help().is_empty());
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn documents_with_every_liberty_that_xml_grants_are_read() {
    for document in [
        "<w/>",
        "\u{feff}<w/>",
        "<?xml version='1.0'?><w/>",
        "<?xml version=\"1.7\" encoding='UTF-8' standalone = 'no' ?>\n<w/>\n",
        "<!-- a --><?pi?><w/><!----><?pi  a?b ?>\r\n",
        "<w\n a = '1'\tb=\">\"\r\nc='\"' ></w\n>",
        "<w>]] > ]]&gt; ]]]></w>".replace("]]]>", "]]]").as_str(),
        "<w><!-->--></w>",
        "<w><!--->--></w>",
        "<w><![CDATA[]]]]><![CDATA[>]]></w>",
        "<größe ähre='1'><日本/></größe>",
        "<w xmlns='u' xmlns:p='v' p:a='' a='' xml:lang='de'><p:a/><b xmlns=''/></w>",
        "<w xmlns:p='u'><a xmlns:p='v'><p:b/></a><p:c/></w>",
        "<_:w xmlns:_='u' _._-1=''/>",
        "<w>\u{7f}\u{85}\u{2028}\u{fffd}\u{10ffff}</w>",
    ] {
        if let Err(error) = read(document.as_bytes()) {
            panic!("{document}: {error}");
        }
    }
}

#[test]
fn another_encoding_is_refused_by_its_name() {
    let utf_16: Vec<u8> = "<w/>".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let cases: &[(&[u8], &str)] = &[
        (&utf_16, "the encoding `UTF-16LE` is not supported"),
        (b"\xFE\xFF\0<\0w\0/\0>", "the encoding `UTF-16BE` is not supported"),
        (b"\xFF\xFE\0\0<\0\0\0", "the encoding `UTF-32LE` is not supported"),
        (
            b"<?xml version='1.0' encoding='iso-8859-1'?><w>\xE4</w>",
            "the encoding `iso-8859-1` is not supported",
        ),
        (b"<w>\xE4</w>", "the document is not valid UTF-8"),
        (b"<w>\xED\xA0\x80</w>", "the document is not valid UTF-8"),
        (b"<w>\xC0\xAF</w>", "the document is not valid UTF-8"),
    ];
    for &(document, message) in cases {
        assert_eq!(read(document).unwrap_err().to_string(), message);
    }
}

#[test]
fn documents_beyond_the_bounds_are_refused() {
    let nested = |levels: usize| "<a>".repeat(levels) + &"</a>".repeat(levels);
    let attributes = |count: usize| {
        let list: String = (0..count).map(|n| format!(" a{n}=''")).collect();
        format!("<w{list}/>")
    };
    let padded = |bytes: usize| format!("<w>{}</w>", " ".repeat(bytes - "<w></w>".len()));
    let parts = |count: usize| format!("<w>{}</w>", "<a/>".repeat(count - 2));
    let cases = [
        (nested(limits::MAX_DEPTH), nested(limits::MAX_DEPTH + 1), "xml::too_deep"),
        (
            attributes(limits::MAX_ATTRIBUTES),
            attributes(limits::MAX_ATTRIBUTES + 1),
            "xml::too_many_attributes",
        ),
        (padded(limits::MAX_BYTES), padded(limits::MAX_BYTES + 1), "xml::too_large"),
        (parts(limits::MAX_EVENTS), parts(limits::MAX_EVENTS + 1), "xml::too_many_parts"),
    ];
    for (within, beyond, code) in cases {
        assert!(read(within.as_bytes()).is_ok(), "{code}");
        assert_eq!(read(beyond.as_bytes()).unwrap_err().code(), code);
    }
}

#[test]
fn every_prefix_of_a_document_is_judged_without_a_panic() {
    let document =
        "\u{feff}<?xml version='1.0'?><w a=\"&lt;ü\"><!-- é --><![CDATA[é]]>&#65;<?p é?></w>\n";
    for end in 0..document.len() - 1 {
        let is_whole = end == document.len() - 1;
        assert_eq!(read(&document.as_bytes()[..end]).is_ok(), is_whole, "{end}");
    }
    assert!(read(document.as_bytes()).is_ok());
}

#[test]
fn every_part_keeps_its_place() {
    for seed in 0..60 {
        let document = document(&mut Rng::with_seed(seed));
        let read = read(document.as_bytes()).unwrap();
        let of = |place: SourcePosition| {
            assert_eq!(place, SourcePosition::of(document.as_bytes(), place.start, place.end));
            &document[place.start..place.end]
        };
        let root = read.root();
        for element in std::iter::once(root).chain(root.descendants()) {
            let tag = format!("<{}", element.name());
            let whole = of(element.place());
            assert!(whole.starts_with(&tag) && whole.ends_with('>'), "{whole}");
            assert!(whole.starts_with(of(element.tag_place())), "{whole}");
            for (name, value) in element.attributes() {
                assert_eq!(of(element.attribute_name_place(name).unwrap()), name);
                let place = element.attribute_place(name).unwrap();
                let quote = &document[place.start - 1..place.start];
                assert!(matches!(quote, "'" | "\"") && document[place.end..].starts_with(quote));
                assert!(value.is_empty() == of(place).is_empty(), "{value}");
            }
            let text = element.text().unwrap_or_default();
            if !text.trim().is_empty() {
                let place = element.text_place();
                assert!(place.start >= element.tag_place().end && place.end <= element.place().end);
                assert_eq!(of(place), of(place).trim(), "{text}");
            }
        }
    }
}
