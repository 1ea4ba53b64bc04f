use super::{RedactionCounts, Redactor, shapes, summary};

/// A value with everything in it that some spelling escapes.
const ODD: &str = "pa$$'w0rd\"with\\all/of+it&<odd>=ä%";
const PLAIN: &str = "swordfish-TROMBONE-42-zebra";

fn redactor() -> Redactor {
    let variables = [
        ("ODD_TOKEN", ODD),
        ("MY_SECRET", PLAIN),
        ("X_PASSWORD", "p@s!w0rd"),
        ("LANG", "C.UTF-8-and-more"),
    ];
    Redactor::new(variables.map(|(name, value)| (name, value.as_bytes())), &[])
}

fn redacted_with_summary(text: &str) -> (String, Option<String>) {
    let mut found = RedactionCounts::new();
    let redacted = redactor().redact(text, &mut found).into_owned();
    (redacted, summary(&found))
}

#[test]
fn every_shape_knows_its_examples_and_leaves_what_looks_alike() {
    for shape in shapes() {
        let all = Redactor::default();
        for (head, tail) in shape.examples() {
            let secret = format!("{head}{tail}");
            for (before, after) in [
                ("", ""),
                ("see: ", " there\n"),
                ("\"", "\", \"b\": 1"),
                ("\\n", "\\n"),
                ("\u{1b}[31m", "\u{1b}[0m"),
            ] {
                let text = format!("{before}{secret}{after}");
                let mut found = RedactionCounts::new();
                let redacted = all.redact(&text, &mut found).into_owned();
                let marker = format!("[redacted: {}]", shape.name);
                assert!(redacted.contains(&marker), "{}: {text:?} → {redacted:?}", shape.name);
                assert!(
                    tail.contains('@')
                        || tail.len() < 16
                        || !redacted.contains(&tail[tail.len() / 2..tail.len() - 4]),
                    "{redacted:?}"
                );
                assert!(redacted.starts_with(before), "{text:?} → {redacted:?}");
            }
        }
        for text in shape.look_alikes() {
            assert_eq!(all.text(text), *text, "{}", shape.name);
        }
        assert!(!shape.source.is_empty() && !shape.what.is_empty());
    }
    assert!(shapes().len() >= 50);
}

#[test]
fn a_known_value_is_found_in_every_spelling() {
    let json = serde_json::to_string(ODD).unwrap();
    let twice = serde_json::to_string(&json).unwrap();
    let ascii: String = ODD
        .chars()
        .flat_map(|c| {
            if c.is_ascii() { vec![c] } else { format!("\\u{:04x}", c as u32).chars().collect() }
        })
        .collect();
    let percent: String = ODD
        .bytes()
        .map(|byte| {
            if byte.is_ascii_alphanumeric() {
                (byte as char).to_string()
            } else {
                format!("%{byte:02X}")
            }
        })
        .collect();
    let shell = format!("'{}'", ODD.replace('\'', "'\\''"));
    let xml = ODD
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;");
    let wrapped: Vec<String> =
        ODD.chars().collect::<Vec<_>>().chunks(17).map(|part| part.iter().collect()).collect();
    let slashes: String = ODD
        .chars()
        .flat_map(|c| if c.is_alphanumeric() { vec![c] } else { vec!['\\', c] })
        .collect();
    for spelt in [
        ODD.to_owned(),
        json,
        twice,
        ascii,
        percent.clone(),
        percent.to_lowercase(),
        shell,
        xml,
        wrapped.join("\n"),
        wrapped.join("\r\n"),
        wrapped.join("\n    "),
        wrapped.join("\\\n"),
        slashes,
        ODD.replacen("with", "\u{1b}[31mwith\u{1b}[0m", 1),
    ] {
        let text = format!("before {spelt} after");
        let (redacted, counts) = redacted_with_summary(&text);
        assert!(redacted.contains("[redacted: ODD_TOKEN]"), "{text:?} → {redacted:?}");
        assert!(redacted.starts_with("before ") && redacted.ends_with(" after"), "{redacted:?}");
        assert!(!redacted.contains("all"), "{text:?} → {redacted:?}");
        assert_eq!(counts.as_deref(), Some("ODD_TOKEN (1)"));
    }
    for shift in ["", "u", "us", "user:"] {
        let plain = format!("{shift}{PLAIN}");
        let encoded = base64(plain.as_bytes());
        let wrapped = format!("{}\n{}", &encoded[..20], &encoded[20..]);
        for encoded in [encoded, wrapped] {
            let (redacted, counts) = redacted_with_summary(&format!("data {encoded} end"));
            assert!(redacted.contains("[redacted: MY_SECRET]"), "{encoded} → {redacted}");
            assert!(redacted.len() < 45, "{redacted}");
            assert_eq!(counts.as_deref(), Some("MY_SECRET (1)"));
        }
    }
    assert_eq!(redacted_with_summary("p@s!w0rd").0, "[redacted: X_PASSWORD]");
    assert_eq!(redacted_with_summary("C.UTF-8-and-more").0, "C.UTF-8-and-more");
    assert_eq!(redacted_with_summary("swordfish and trombone").1, None);
}

fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let number =
            (0..3).fold(0_u32, |number, at| number << 8 | u32::from(*group.get(at).unwrap_or(&0)));
        for at in 0..4 {
            let index = (number >> (18 - 6 * at) & 63) as usize;
            text.push(if at <= group.len() { ALPHABET[index] as char } else { '=' });
        }
    }
    text
}

/// Everything that is secret, in one text.
fn everything() -> String {
    let mut text = format!("start {ODD} and\n{PLAIN}\n");
    for shape in shapes() {
        for (head, tail) in shape.examples() {
            text += &format!("{}: {head}{tail} .\n\n", shape.name);
        }
    }
    text + "the end"
}

/// Inputs from fuzzing whose result once depended on where they were cut.
#[test]
fn a_cut_within_a_break_or_an_escape_makes_no_difference() {
    let secrets: [(&str, &[u8]); 2] =
        [("PLAIN_TOKEN", b"abcdefgh12345678"), ("ODD_PASSWORD", b"a\"b\\c/d&e%f'g h+i")];
    let redactor = Redactor::new(secrets, &[]);
    for text in [
        &b"\rx\x08,\xe9YWJjZGVm\r\n"[..],
        b"Y3OA9&=\n\x1bhttp,s\0\rx\rx\x08ax://://:4\r\nYWJjZGV\x08ax://://:4\r\nYWJjZGVm\0\0\0\0@h/\n",
        b"PLAIN_TOKEN=abcdefgh\x1b[31m12345678 and more of it",
        b"it is abcdefgh\r\n    12345678, wrapped, and something after it that is long enough to be seen",
        b"a%22b%5Cc%2Fd%26e%25f%27g%20h%2Bi and a\"b\\c/d&amp;e%25f'g h+i and then much, much more of it",
        b"https://user:p4ssw0rd-of-mine@example.org/https://me:an0ther-0ne@example.org/x y z",
    ] {
        let mut found = RedactionCounts::new();
        let whole = redactor.bytes(text, &mut found).into_owned();
        for size in 1..text.len() {
            let mut stream = redactor.stream();
            let mut pieces = Vec::new();
            let mut out = |part: &[u8]| pieces.extend_from_slice(part);
            for chunk in text.chunks(size) {
                stream.push(chunk, &mut out);
            }
            let shown = String::from_utf8_lossy(text);
            assert_eq!(stream.finish(&mut out), found, "{shown:?} by {size}");
            assert_eq!(pieces, whole, "{shown:?} by {size}");
        }
    }
}

#[test]
fn where_a_stream_is_cut_makes_no_difference() {
    let text = everything();
    let mut found = RedactionCounts::new();
    let whole = redactor().redact(&text, &mut found).into_owned();
    for size in [1, 2, 3, 7, 16, 31, 64, 255, 1000] {
        let mut stream = redactor().stream();
        let mut pieces = Vec::new();
        let mut out = |part: &[u8]| pieces.extend_from_slice(part);
        for chunk in text.as_bytes().chunks(size) {
            stream.push(chunk, &mut out);
        }
        assert_eq!(stream.finish(&mut out), found, "{size}");
        assert_eq!(String::from_utf8(pieces).unwrap(), whole, "{size}");
    }
    for (name, count) in &found {
        assert!(*count < 5, "{name} {count}");
    }
}

#[test]
fn redacted_text_is_not_redacted_again() {
    let once = redactor().text(&everything());
    assert_eq!(redactor().text(&once), once);
}

#[test]
fn tokens_that_were_wrapped_are_found() {
    for shape in shapes().iter().filter(|shape| !["putty-key", "private-key"].contains(&shape.name))
    {
        let (head, tail) = shape.examples()[0];
        let secret = format!("{head}{tail}");
        // A break within what introduces a secret is not searched for.
        if secret.contains(' ') || secret.contains('/') || tail.len() < 30 || head.len() > 12 {
            continue;
        }
        for width in [20, 33, 64] {
            let chars: Vec<char> = secret.chars().collect();
            let lines: Vec<String> =
                chars.chunks(width).map(|line| line.iter().collect()).collect();
            if lines.len() < 2 || lines.last().is_some_and(|last| last.len() < 4) {
                continue;
            }
            let text = format!("{}\nNext line\n", lines.join("\n"));
            let redacted = Redactor::default().text(&text);
            assert_eq!(redacted, format!("[redacted: {}]\nNext line\n", shape.name), "{text}");
        }
    }
}

#[test]
fn look_alikes_stay() {
    let text = "\
        sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\n\
        checksum = \"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\"\n\
        \"integrity\": \"sha512-9rKk2mX9pLr4TzV7wYc3BnE6dFgHjK1sUvWxYz0aBcDeFgHiJkLmNoPqRsTuVwXyZ1234567890abcdefgh==\",\n\
        123e4567-e89b-12d3-a456-426614174000 commit 29c2e67f4329ac9d5d5a1f0e8b7c6d5e4f3a2b1c\n\
        sk-xxxx sk-... sk-your-key-here AKIAIOSFODNN7EXAMPLE wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY\n\
        ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx ghp_000000000000000000000000000000000000 xoxb-your-token\n\
        task-1234567890abcdefghijklmnop risk-k2mX9pLr4TzV7wYc3BnE6dFg disk-usage desk-1\n\
        https://example.com:8080/path?x=a@b http://localhost:3000 git@github.com:o/r.git ssh://git@h/o/r\n\
        postgres://user:password@localhost:5432/db redis://:${REDIS_PASSWORD}@host https://<user>:<pass>@h\n\
        Authorization: Bearer <token> Bearer authentication-required bearer of news, basic auth, Basic\n\
        eyJ eyJhbGciOiJIUzI1NiJ9 -----BEGIN CERTIFICATE-----\nMIIBszCCAVmgAwIBAgIUX\n-----END CERTIFICATE-----\n\
        -----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n-----END PUBLIC KEY-----\n\
        ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE ada@host\n\
        npm_config_registry=https://registry.example/ //registry.example/:_authToken=${NPM_TOKEN}\n\
        hf_hub_download pypi-server key-value api-key: none x-api-key: required glpat- dapi cio SG.1 SKU123\n\
        data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==\n\
        h1:2mX9pLr4TzV7wYc3BnE6dFgHjK1sUvWxYz0aBcDeFgH= v1.2.3-0.20260118013056-29c2e67f4329\n\
        pk_live_4eC39HqLyjWDarjtT1zdp7dc AC4f3c1e9a0b7d6258c4f3a1e9d0b7c625 client_id=123456789.apps\n\
        fe80::1:AA:BB:CC 12:34:56 00:1A:2B:3C:4D:5E 1.2.3.4:8080 2026-11-22T18:00:00.000Z a.b.c.d.e.f.g.h\n\
        function.prototype.toString.call node_modules/.pnpm/x@1.0.0_abcdef/node_modules/x target/debug/deps/x-0123456789abcdef\n";
    let mut found = RedactionCounts::new();
    assert_eq!(redactor().redact(text, &mut found), text, "{found:?}");
}

#[test]
fn a_token_at_the_end_of_a_line_does_not_take_the_next_line() {
    let (head, tail) = ("sk-", "k2mX9pLr4TzV7wYc3BnET3BlbkFJHjK1sUvWxYz0aBcDeFgH");
    for next in [
        "Done",
        "2026-11-22 18:00",
        "test result: ok",
        "[INFO] x",
        "12:00:01 x",
        "error: y",
        "  indented",
    ] {
        let text = format!("the key is {head}{tail}\n{next}\n");
        let expected = format!("the key is [redacted: openai-key]\n{next}\n");
        assert_eq!(Redactor::default().text(&text), expected);
    }
}

#[test]
fn a_secret_escaped_as_json_is_found() {
    for shape in ["aws-secret-access-key", "docker-auth", "basic-header", "api-key-header"] {
        let shape = shapes().iter().find(|known| known.name == shape).unwrap();
        for (head, tail) in shape.examples() {
            let line = format!("{head}{tail}");
            let escaped = serde_json::to_string(&line).unwrap();
            let redacted = Redactor::default().text(&escaped);
            assert!(redacted.contains(&format!("[redacted: {}]", shape.name)), "{redacted}");
        }
    }
}

#[test]
fn names_can_be_exempted() {
    let off = ["github-token".to_owned(), "MY_SECRET".to_owned()];
    let redactor =
        Redactor::new([("MY_SECRET", PLAIN.as_bytes()), ("OTHER_KEY", b"other-value-1")], &off);
    let (head, tail) = ("ghp_", "16C7e42F292c6912E7710c838347Ae178B4a");
    let text = format!("{head}{tail} {PLAIN} other-value-1");
    assert_eq!(redactor.text(&text), format!("{head}{tail} {PLAIN} [redacted: OTHER_KEY]"));
}

#[test]
fn json_stays_json_and_keys_are_redacted_too() {
    let mut value = serde_json::json!({"a": [format!("x{PLAIN}"), 1, null], PLAIN: {"b": ODD}});
    let mut found = RedactionCounts::new();
    redactor().json(&mut value, &mut found);
    let expected = serde_json::json!({"a": ["x[redacted: MY_SECRET]", 1, null], "[redacted: MY_SECRET]": {"b": "[redacted: ODD_TOKEN]"}});
    assert_eq!(value, expected);
    assert_eq!(summary(&found).as_deref(), Some("MY_SECRET (2), ODD_TOKEN (1)"));
}

#[test]
fn a_value_that_was_not_printed_to_its_end_is_none_either() {
    assert_eq!(redacted_with_summary(&format!("x {}", &PLAIN[..20])).0, "x [redacted: MY_SECRET]");
    assert_eq!(redacted_with_summary("x swordfi").0, "x swordfi");
}

/// There is no clock: in quadratic time these texts would take so long that the test runner ends the test.
#[test]
fn hostile_text_takes_linear_time() {
    for unit in [
        "sk-",
        "://",
        "a.bcdefg.",
        "-----BEGIN PRIVATE KEY-----",
        "swordfis",
        "http://h/p\n",
        "AKIA\n",
        " key-\n",
        "eyJ.",
        "Bearer \n",
        "%\\&'",
    ] {
        let text = unit.repeat(400_000 / unit.len());
        assert!(!redactor().text(&text).is_empty());
    }
}
