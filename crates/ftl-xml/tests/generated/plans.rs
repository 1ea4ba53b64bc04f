//! Plans, drawn at random, against a second maker of task files in Python.

use ftl_testkit::random::{Draw as _, Rng, cases};
use ftl_xml::plan::Plan;
use serde_json::{Map, Value, json};

use crate::planning::{Described, NOW};
use crate::python::output_of;

const SEQS: &[&str] = &["001", "002", "003", "1", "ä", "007"];
const SLUGS: &[&str] = &["models", "routes-crud", "a_b", "größe", "x y"];
const PATHS: &[&str] = &[
    "src/a.py",
    "./src//b.py",
    "c.py",
    "new.py",
    "../out.py",
    "/etc/x",
    "bin.dat",
    "d/e/f.py",
    "",
];
const COMMANDS: &[&str] = &[
    "",
    "true",
    "pytest tests/test_a.py -q",
    "pytest 'tests/test a.py' x_test.py",
    "pytest tests/test_*.py",
    "python \"run.py\" test_a.py",
    "python run.py test_a.py",
    "python run.py  Test_a.py\ttest_b.py",
    "cd x && pytest <tests/test_ä.py >out",
];
const TARGETS: &[&str] =
    &["1-2", "20-25", "60-80", "100-90", "-", "whole", "", " 3 - 9 ", "200-300"];
const LINES: &[&str] = &[
    "import os",
    "from a import b  ",
    "def f(a, b):",
    "    return a",
    "class A(B):",
    "class C:",
    "LIMIT = 3",
    "a.b = 1",
    "x == y",
    "# z = 1",
    "",
    "\tindented = 1",
    "größe=1",
    "async def g():",
    "def  spaced (x):",
    "if a <= b & c:",
];
const DELIVERIES: &[&str] = &[
    "<workspace><delivered>models &amp; more</delivered></workspace>",
    "<workspace><delivered>BLOCKED: no module\nTried: x</delivered></workspace>",
    "<workspace><delivered>so far BLOCKED:\n\n  late \n</delivered></workspace>",
    "<workspace><delivered>BLOCKED: \n </delivered></workspace>",
    "<workspace/>",
    "not xml",
];

#[test]
fn plans_become_the_files_that_a_second_maker_expects() {
    let plans: Vec<Value> = (0..cases(500)).map(|seed| case(&mut Rng::with_seed(seed))).collect();
    let Some(answers) = answers(&plans) else {
        return;
    };
    assert_eq!(answers.len(), plans.len());
    let mut made = 0;
    for (seed, (case, answer)) in plans.iter().zip(&answers).enumerate() {
        assert_eq!(answer, "\"ok\"", "seed {seed}: {case:#}");
        made += usize::from(!case["made"].is_null());
    }
    println!("{} plans alike, {made} of them usable", plans.len());
    assert!(made * 5 > plans.len() && made < plans.len());
}

/// A plan, its project, and what ftl makes of them.
fn case(random: &mut Rng) -> Value {
    let project = project(random);
    let plan = plan(random);
    let only = random.one_in(6).then(|| random.pick(SEQS));
    let made = Plan::parse(&plan.to_string(), only)
        .and_then(|plan| plan.create(&Described(project.clone()), NOW));
    let (files, problems) = match made {
        Ok(created) => {
            let files = created.files.into_iter().map(|file| json!([file.name, file.content]));
            (files.collect(), Value::Null)
        }
        Err(problems) => {
            let problems = problems.iter().map(ToString::to_string);
            (Value::Null, problems.collect())
        }
    };
    json!({
        "plan": plan, "project": project, "task": only, "now": NOW,
        "made": files, "problems": problems,
    })
}

fn plan(random: &mut Rng) -> Value {
    let tasks: Vec<Value> = (0..random.below(4)).map(|_| task(random)).collect();
    let mut plan = json!({"campaign": "c", "tasks": tasks, "unknown": [1]});
    if !random.one_in(4) {
        plan["objective"] = random.pick(&["Serve & <admins>", "größer\n2", ""]).into();
    }
    if !random.one_in(4) {
        let name = random.pick(&["fasthtml", "flask", "none", "", "null"]);
        plan["framework"] = match name {
            "null" => Value::Null,
            name => name.into(),
        };
    }
    if random.one_in(2) {
        plan["idioms"] = json!({"required": ["planned"], "forbidden": ["never <this>"]});
    }
    plan
}

fn task(random: &mut Rng) -> Value {
    let mut task = json!({"seq": random.pick(SEQS), "slug": random.pick(SLUGS)});
    let delta: Vec<&str> = (0..random.below(4)).map(|_| random.pick(PATHS)).collect();
    let mut targets = Map::new();
    for path in &delta {
        if random.one_in(2) {
            targets.insert((*path).to_owned(), random.pick(TARGETS).into());
        }
    }
    let mut put = |random: &mut Rng, key: &str, value: Value| {
        if !random.one_in(3) {
            task[key] = value;
        }
    };
    let kind = random.pick(&["SPEC", "BUILD", "VERIFY"]);
    let budget = random.below(9);
    let seq = random.pick(SEQS);
    let verify = random.pick(COMMANDS);
    put(random, "type", kind.into());
    put(random, "delta", delta.into());
    put(random, "verify", verify.into());
    put(random, "budget", budget.into());
    put(random, "preflight", json!(["python -c 'import a'", ""]));
    put(random, "target_lines", targets.into());
    let depends =
        [json!("none"), json!(seq), json!([seq, "000"]), json!([]), json!(["none", "", "002"])];
    put(random, "depends", depends[budget % depends.len()].clone());
    if random.one_in(5) {
        task["verify_source"] = random.pick(&["tests/test_given.py", ""]).into();
    }
    if random.one_in(12) {
        let (key, value) = [
            ("seq", json!(7)),
            ("slug", Value::Null),
            ("slug", json!("a/b")),
            ("seq", json!(".1")),
            ("slug", json!("a\u{7}")),
            ("seq", json!("")),
            ("budget", json!(1.5)),
            ("delta", json!([1])),
        ][random.below(8)]
        .clone();
        task[key] = value;
    }
    task
}

fn project(random: &mut Rng) -> Value {
    let mut files = json!({"bin.dat": null});
    for path in ["src/a.py", "src/b.py", "c.py", "d/e/f.py"] {
        if !random.one_in(4) {
            let end = random.pick(&["\n", "\n", "\r\n"]);
            let lines: Vec<&str> = (0..random.below(90)).map(|_| random.pick(LINES)).collect();
            files[path] = lines.join(end).into();
        }
    }
    let mut records = json!({"notes.txt": "x"});
    for _ in 0..random.below(6) {
        let status = random.pick(&["complete", "blocked", "active"]);
        let name = format!("{}_{}_{status}.xml", random.pick(SEQS), random.pick(SLUGS));
        records[name] = random.pick(DELIVERIES).into();
    }
    let certainties =
        [json!(0.125), json!(0.375), json!(0.285), json!("0.5"), json!("x"), json!(1), Value::Null];
    let mut project = json!({
        "files": files, "records": records,
        "registry": {"fasthtml": {"required": ["@rt decorator"], "forbidden": []}},
    });
    if !random.one_in(4) {
        let certainty = &certainties[random.below(certainties.len())];
        project["exploration"] = json!({"pattern": {"confidence": certainty}});
    }
    project
}

/// One line a case; `None` without Python.
fn answers(cases: &[Value]) -> Option<Vec<String>> {
    let lines: String = cases.iter().map(|case| format!("{case}\n")).collect();
    let output = output_of("plan_oracle.py", "plans", lines.as_bytes())?;
    Some(output.lines().map(str::to_owned).collect())
}
