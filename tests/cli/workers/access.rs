//! How a server is reached: credentials, TLS, and another machine.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::path::Path;

use ftl_testkit::fleet::{self, Server, servers, wait_for};
use ftl_testkit::program::{Program, Running};
use ftl_testkit::scratch::Scratch;

use super::{AGENT, Fleet, project, skip};
use crate::support::{FTL, Finished, Project, has_tool};

/// Asks who is alive.
fn list(project: &Project, url: &str, words: &[&str]) -> Finished {
    project.ftl([&["worker", "list", "--connect", url], words].concat())
}

/// Holds that a command failed and said this.
fn fails(finished: &Finished, code: i32, parts: &[&str]) {
    assert_eq!(finished.code, Some(code), "{finished:#?}");
    // Wherever the lines break.
    let plain = |text: &str| text.replace(|c: char| c.is_whitespace() || c == '│', "");
    let said = plain(&finished.stderr);
    for part in parts {
        assert!(said.contains(&plain(part)), "{part}: {finished:#?}");
    }
}

#[test]
fn a_credential_that_is_missing_wrong_or_expired_says_what_to_do() {
    let Some(fleet) = Fleet::start(AGENT, 0) else {
        return;
    };
    let project = project("a");
    let url = fleet.server.url();
    let creds = fleet.creds();
    assert_eq!(list(&project, &url, &["--creds", &creds]).code, Some(0));
    let named = "`--creds FILE`, or `[workers] credentials`";
    fails(&list(&project, &url, &[]), 1, &["needs a credential, and none is named", named]);
    project.write("wrong", "another-token\n");
    let wrong = list(&project, &url, &["--creds", "wrong"]);
    fails(&wrong, 1, &["refuses the credential", named]);
    fails(&list(&project, &url, &["--creds", "none"]), 1, &["cannot read the credential `none`"]);
    project.write("odd", "two words");
    let odd = list(&project, &url, &["--creds", "odd"]);
    fails(&odd, 1, &["none of the known forms", "NATS creds, `USER:PASSWORD`, or a token"]);
    let shown = url.replace("//", "//user:pass@");
    fails(&list(&project, &shown, &[]), 2, &["holds a credential", "--creds FILE"]);
    fails(
        &list(&project, "http://x", &[]),
        2,
        &["not the URL of a NATS server", "nats://HOST:4222"],
    );
    // A build says the same, and waits for no other answer.
    let words = ["build", "--all", "--agent", "script", "--workers", &url, "--creds", "wrong"];
    fails(&project.ftl(words), 1, &["refuses the credential"]);
}

#[test]
fn accounts_of_users_with_nats_creds_are_known_and_expired_ones_are_named() {
    let scratch = Scratch::new("accounts").unwrap();
    let inputs = ftl_testkit::root().join("tests/inputs/nats");
    let accounts = fs::read_to_string(inputs.join("accounts.conf")).unwrap();
    for (number, program) in servers().iter().enumerate() {
        let dir = scratch.path().join(number.to_string());
        let server = Server::start(program, &dir, &accounts).unwrap();
        let project = project("a");
        let creds = |name: &str| inputs.join(name).display().to_string();
        let valid = list(&project, &server.url(), &["--creds", &creds("valid.creds")]);
        assert_eq!(valid.stdout, "no workers\n", "{valid:#?}");
        let expired = list(&project, &server.url(), &["--creds", &creds("expired.creds")]);
        fails(&expired, 1, &["refuses the credential: it expired at 2023-11-14T"]);
    }
    if servers().is_empty() {
        skip();
    }
}

/// Certificates of an authority, a server at this address, and a client.
fn certificates(dir: &Path, address: &str) {
    let script = "set -e
        new() { name=$1; shift; openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=$name -keyout $name.key \"$@\"; }
        new ca -x509 -days 2 -out ca.pem
        for it in server client; do
            new $it -out $it.csr
            openssl x509 -req -in $it.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -out $it.pem -extfile $it.ext
        done";
    fs::write(dir.join("server.ext"), format!("subjectAltName=IP:{address}")).unwrap();
    fs::write(dir.join("client.ext"), "extendedKeyUsage=clientAuth").unwrap();
    Program::new("sh", dir).args(["-c", script]).silent().run().unwrap();
}

const TLS: &str = "tls { cert_file: \"server.pem\", key_file: \"server.key\", ca_file: \"ca.pem\", verify: true }";

/// The configuration of a client with these certificates.
fn tls(dir: &Path, names: &[&str]) -> String {
    let file = |name: &str| dir.join(name).display().to_string();
    let parts = names.iter().map(|name| match *name {
        "ca" => format!("ca = '{}'", file("ca.pem")),
        _ => format!("cert = '{}', key = '{}'", file("client.pem"), file("client.key")),
    });
    format!("[workers]\ntls = {{ {} }}\n", parts.collect::<Vec<_>>().join(", "))
}

/// What the server answers to a client that publishes to these subjects.
fn published(address: &str, user: (&str, &str), subjects: &[&str]) -> String {
    let (name, password) = user;
    let mut said =
        format!("CONNECT {{\"user\":{name:?},\"pass\":{password:?},\"verbose\":false}}\r\n");
    for subject in subjects {
        said.push_str(&format!("PUB {subject} 2\r\n{{}}\r\n"));
    }
    let mut connection = TcpStream::connect(address).unwrap();
    write!(connection, "{said}PING\r\n").unwrap();
    let mut lines = BufReader::new(connection).lines().map_while(Result::ok);
    lines.by_ref().take_while(|line| line != "PONG").collect::<Vec<_>>().join("\n")
}

#[test]
fn workers_with_the_permissions_of_the_page_perform_requests_and_publish_none() {
    let Some(program) = servers().into_iter().next_back() else {
        return skip();
    };
    let page = include_str!("../../../docs/workers.md");
    let (_, block) = page.split_once("authorization {\n  users").unwrap();
    let (block, _) = block.split_once("```").unwrap();
    let scratch = Scratch::new("permissions").unwrap();
    let config = format!("authorization {{\n  users{block}");
    let server = Server::start(&program, &scratch.path().join("server"), &config).unwrap();
    let users = [("coordinator", "CHOOSE-A-LONG-ONE"), ("worker", "CHOOSE-ANOTHER")];
    let creds = users.map(|(name, password)| {
        let path = scratch.path().join(name);
        fs::write(&path, format!("{name}:{password}\n")).unwrap();
        path.display().to_string()
    });
    let (project, url) = (project("a"), server.url());
    // What a file larger than a message needs.
    project.write(
        "ftl.toml",
        "[agent.script]\ncommand = 'echo agent >>$1; head -c 900000 /dev/urandom >>$1'\n",
    );
    assert_eq!(list(&project, &url, &["--creds", &creds[0]]).code, Some(0));
    let dir = scratch.path().join("machine");
    fs::create_dir_all(&dir).unwrap();
    fs::copy(project.path().join("ftl.toml"), dir.join("ftl.toml")).unwrap();
    let ftl = Program::new(FTL, &dir).without_cargo();
    let _worker = fleet::worker(ftl, &url, &["--creds", &creds[1]], &dir).unwrap();
    let words = ["build", "--all", "--agent", "script", "--workers", &url, "--creds", &creds[0]];
    project.ftl(words).ends(0);
    let log = fs::read_to_string(dir.join("log")).unwrap();
    assert!(!log.contains("Violation"), "{log}");
    let denied = [
        "ftl.request.x.script",
        "ftl.session.x",
        "$KV.ftl-cancelled.x",
        "$JS.API.STREAM.CREATE.X",
        "$JS.API.STREAM.UPDATE.FTL",
        "$JS.API.STREAM.DELETE.FTL",
        "$JS.API.STREAM.PURGE.FTL",
    ];
    let address = url.strip_prefix("nats://").unwrap();
    let said = published(address, users[1], &denied);
    assert_eq!(said.matches("Permissions Violation for Publish").count(), denied.len(), "{said}");
    assert!(!published(address, users[0], &denied[..1]).contains("Violation"));
}

#[test]
fn connections_with_tls_name_the_certificate_that_is_missing() {
    if servers().is_empty() {
        return skip();
    }
    if !has_tool("openssl", "openssl", &["version"]) {
        return;
    }
    let scratch = Scratch::new("tls").unwrap();
    certificates(scratch.path(), "127.0.0.1");
    for program in servers() {
        let server = Server::start(&program, scratch.path(), TLS).unwrap();
        let url = server.url().replace("nats:", "tls:");
        let project = project("a");
        let listed = |configuration: &str| {
            project.write("ftl.toml", configuration);
            list(&project, &url, &[])
        };
        let help = "name the authority that signed the server's certificate in `[workers] tls = { ca = FILE }`";
        fails(&listed(AGENT), 1, &["no TLS connection", "UnknownIssuer", help]);
        // Servers built with an old Go call it `BadCertificate`, others `CertificateRequired`.
        let ours = listed(&tls(scratch.path(), &["ca"]));
        fails(&ours, 1, &["no TLS connection", "received fatal alert", "`cert` and `key`"]);
        let both = listed(&tls(scratch.path(), &["ca", "client"]));
        assert_eq!(both.stdout, "no workers\n", "{both:#?}");
    }
}

/// Three machines, as far as their networks go: the server's is between the others, which do not reach each other.
struct Machines(String);

impl Machines {
    fn new() -> Self {
        let machines = Self(format!("ftl{}", std::process::id()));
        machines.ip("ip netns add $0-s; ip -n $0-s link set lo up
             n=0; for side in c w; do
                 n=$((n + 1))
                 ip netns add $0-$side; ip -n $0-$side link set lo up
                 ip -n $0-s link add $side type veth peer name s netns $0-$side
                 ip -n $0-s addr add 10.99.$n.1/24 dev $side; ip -n $0-s link set $side up
                 ip -n $0-$side addr add 10.99.$n.2/24 dev s; ip -n $0-$side link set s up
                 ip -n $0-$side route add default via 10.99.$n.1
             done");
        machines
    }

    fn ip(&self, script: &str) {
        let script = format!("set -e; {script}");
        Program::new("sh", Path::new("/")).args(["-c", &script, &self.0]).run().unwrap();
    }

    /// A program on one of them.
    fn on(&self, machine: &str, program: &str, dir: &Path) -> Program {
        let name = format!("{}-{machine}", self.0);
        let words = ["netns", "exec", &name, program];
        Program::new("ip", dir).without_cargo().env("NO_COLOR", "1").args(words)
    }
}

impl Drop for Machines {
    fn drop(&mut self) {
        self.ip("for side in c w s; do ip netns del $0-$side; done");
    }
}

#[test]
fn machines_that_only_reach_the_server_work_together_over_tls() {
    let Some(program) = servers().pop() else {
        return skip();
    };
    // As root, and with a kernel that has both.
    const POSSIBLE: &str = "openssl version && ip netns add $0 && ip -n $0 link add a type veth peer name b; \
                            done=$?; ip netns del $0; exit $done";
    let name = format!("ftl-try{}", std::process::id());
    if !has_tool("network namespaces, ip, openssl", "sh", &["-c", POSSIBLE, &name]) {
        return;
    }
    let (machines, scratch) = (Machines::new(), Scratch::new("machines").unwrap());
    let dir = scratch.path();
    // The other machines name one address each of the same server.
    certificates(dir, "10.99.1.1,IP:10.99.2.1");
    let own = format!(
        "listen: \"0.0.0.0:4222\"\njetstream {{ store_dir: \"store\" }}\nauthorization {{ token: secret }}\n{TLS}\n"
    );
    fs::write(dir.join("nats.conf"), own).unwrap();
    fs::write(dir.join("token"), "secret").unwrap();
    let server = machines.on("s", &program.display().to_string(), dir);
    let log = dir.join("log");
    let _server: Running = server.args(["--config", "nats.conf"]).start_into(&log).unwrap();
    wait_for("the server", || {
        fs::read_to_string(&log).ok()?.contains("Server is ready").then_some(())
    })
    .unwrap();
    let creds = dir.join("token").display().to_string();
    let configuration = format!("{AGENT}{}", tls(dir, &["ca", "client"]));
    let far = dir.join("worker");
    fs::create_dir_all(&far).unwrap();
    fs::write(far.join("ftl.toml"), &configuration).unwrap();
    let worker = machines.on("w", FTL, &far);
    let _worker =
        fleet::worker(worker, "tls://10.99.2.1:4222", &["--creds", &creds], &far).unwrap();
    let project = project("ab");
    project.write("ftl.toml", &configuration);
    let run = |words: &[&str]| {
        let url = "tls://10.99.1.1:4222";
        let words = words.iter().map(|word| if *word == "URL" { url } else { word });
        Finished::of(machines.on("c", FTL, project.path()).args(words))
    };
    let built = run(&[
        "build",
        "--all",
        "--jobs",
        "2",
        "--agent",
        "script",
        "--workers",
        "URL",
        "--creds",
        &creds,
    ]);
    assert_eq!(built.code, Some(0), "{built:#?}");
    fails(&run(&["worker", "list", "--connect", "URL"]), 1, &["needs a credential"]);
    project.write("wrong", "guess");
    fails(
        &run(&["worker", "list", "--connect", "URL", "--creds", "wrong"]),
        1,
        &["refuses the credential"],
    );
    project.write("ftl.toml", AGENT);
    fails(
        &run(&["worker", "list", "--connect", "URL", "--creds", &creds]),
        1,
        &["no TLS connection"],
    );
}
