#!/usr/bin/env python3
"""Projects with several faults each, in several files and with equal names, for every runner that is installed.

Usage: several.py make OUT.json [RUNNER…]      writes the projects, runs them and keeps their outputs with labels
       several.py reproduce COMMANDS.json OUT.json
                                               runs one command per project and says which tests it ran

Labels follow from the plans below and never from an output: the name is the one by which the runner takes the test,
the place is the line that holds the fault's number. Each test writes its number to the file `$RAN`, so that it is
known which tests a command ran, independently of what the runner prints.
"""
import concurrent.futures, gzip, json, os, re, shutil, subprocess, sys, tempfile

from several_runners import RUNNERS

# P passes, E fails by a comparison, L by an exception of the project's own code, N prints what looks like a
# failure and then fails by a comparison, M fails with a message of several lines.
PLANS = {
    "equal": [("cart", [(None, "adds", "E"), (None, "removes", "P")]), ("order", [(None, "adds", "E"), (None, "sums", "L")])],
    "suites": [("cart", [("Cart", "adds", "E"), ("Cart", "sums", "L"), ("Order", "adds", "E"), ("Order", "sums", "P"), ("Empty", "adds", "L")])],
    "library": [("cart", [("Cart", "prices", "L"), ("Cart", "adds", "P")]), ("order", [("Order", "prices", "L"), ("Order", "ships", "L"), ("Order", "adds", "E")])],
    "printed": [("cart", [("Cart", "adds", "N"), ("Cart", "sums", "P"), ("Cart", "ships", "N")]), ("order", [("Order", "adds", "N")])],
    "many": [("cart", [("Cart", "adds", "E"), ("Cart", "sums", "L"), ("Cart", "ships", "E"), ("Cart", "prices", "P")]),
             ("order", [("Order", "adds", "L"), ("Order", "sums", "E"), ("Order", "ships", "M"), ("Order", "prices", "P")]),
             ("stock", [("Stock", "adds", "E"), ("Stock", "sums", "E"), ("Stock", "ships", "L"), ("Stock", "prices", "E")])],
    "messages": [("cart", [("Cart", "adds", "M"), ("Cart", "sums", "E")]), ("order", [("Order", "adds", "M"), ("Order", "sums", "P")])],
    "prefixes": [("cart", [("Cart", "adds", "E"), ("Cart", "adds all", "P"), ("Cart", "adds all twice", "E"), ("CartItem", "adds", "P")]),
                 ("cartitem", [("Item", "adds", "P"), ("Item", "adds all", "L")])],
    "again": [("stock", [("Stock", "adds", "N"), ("Stock", "sums", "M"), ("Stock", "ships", "P"), (None, "sums", "E")]),
              ("cart", [("Cart", "ships", "L"), ("Cart", "adds", "N"), ("Order", "adds", "E")])],
    "wide": [("order", [("Order", "ships", "M"), ("Order", "adds", "P")]), ("cart", [("Cart", "ships", "E"), ("Cart", "adds", "L"), ("Cart", "adds 2", "E")]),
             ("stock", [("Stock", "ships", "N"), ("Stock", "sums all", "L"), ("Empty", "ships", "E")])],
    "mixed": [("cart", [(None, "adds", "E"), ("Cart", "adds", "P"), ("Cart", "sums", "N")]), ("order", [("Order", "sums", "M"), ("Order", "adds (2 + 3)", "E"), ("Order", "sums $1.50", "P")])],
}

# Plans of which no output was looked at while the rules were written.
HELD_OUT = ["again", "wide"]


class Fault:
    """A test of a plan, with its number."""
    def __init__(self, number, file, suite, title, kind):
        self.number, self.file, self.suite, self.title, self.kind = number, file, suite, title, kind
        self.ident = re.sub(r"\W+", "_", title).strip("_")


def faults_of(plan):
    """The tests of a plan by file, numbered so that a number is found nowhere else."""
    number, files = 41000, []
    for stem, tests in PLANS[plan]:
        faults = []
        for suite, title, kind in tests:
            number += 1
            faults.append(Fault(number, stem, suite, title, kind))
        files.append((stem, faults))
    return files


def project(runner, plan):
    """The files of a project, and its labels."""
    files = faults_of(plan)
    texts = runner.files(files)
    labels = []
    for stem, faults in files:
        for fault in (fault for fault in faults if fault.kind != "P"):
            is_place = lambda line: str(fault.number) in line and not runner.is_no_place(line)
            places = [f"{path}:{at}" for path, text in texts.items() for at, line in enumerate(text.split("\n"), 1) if is_place(line)]
            labels.append({"names": runner.names(fault), "places": places, "number": fault.number})
    return texts, labels


def write(texts, directory):
    for path, text in texts.items():
        whole = os.path.join(directory, path)
        os.makedirs(os.path.dirname(whole), exist_ok=True)
        open(whole, "w").write(text)
        if text.startswith("#!"):
            os.chmod(whole, 0o755)


def run(runner, texts, command):
    """The exit code, the output and the numbers of the tests that ran."""
    root = tempfile.mkdtemp(prefix="several-")
    directory, ran = os.path.join(root, "shop"), os.path.join(root, "ran")
    write(texts, directory)
    env = {**os.environ, "RAN": ran, "NO_COLOR": "1", "CI": "", "CARGO_TARGET_DIR": os.path.join(root, "target"), "PYTHONDONTWRITEBYTECODE": "1"}
    env.pop("FORCE_COLOR", None)
    try:
        for before in runner.prepare:
            subprocess.run(before, shell=True, cwd=directory, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=300)
        if runner.modules and os.environ.get("NODE_PATH"):
            os.symlink(os.environ["NODE_PATH"], os.path.join(directory, "node_modules"))
        if os.path.exists(ran):
            os.remove(ran)
        done = subprocess.run(command, shell=True, cwd=directory, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)
        code, output = done.returncode, done.stdout.decode("utf-8", "replace")
    except subprocess.TimeoutExpired as late:
        code, output = 124, (late.stdout or b"").decode("utf-8", "replace")
    # Tests that run side by side may write into each other's lines.
    numbers = sorted({int(number) for number in re.findall(r"41\d\d\d", open(ran).read())} if os.path.exists(ran) else [])
    shutil.rmtree(root, ignore_errors=True)
    return code, anonymous(output.replace(directory, "/srv/shop").replace(root, "/srv")), numbers


def anonymous(output):
    """Without the directories of this machine's tools."""
    output = output.replace(os.environ.get("NODE_PATH") or "\0", "/srv/node_modules")
    output = re.sub(r"[\w./-]*/(lib/python3\.\d+/site-packages)", r"/srv/venv/\1", output)
    output = re.sub(r"(?:/[\w.-]+)+/(lib/python3\.\d+/)(?!site-packages)", r"/usr/\1", output)
    output = re.sub(r"/[\w./-]*/(bin/python3)", r"/usr/\1", output)
    return re.sub(r"/[\w./-]*/(toolchains|rustlib)/", r"/usr/\1/", output)


def make_one(job):
    runner, plan = job
    texts, labels = project(runner, plan)
    code, output, ran = run(runner, texts, runner.command)
    wanted = {fault.number for _, faults in faults_of(plan) for fault in faults}
    numbers = {label["number"] for label in labels}
    # Not a label: whether the project is what its plan says. A runner that is missing, or that stops at its first
    # failure, gives no case.
    if code == 0 or not numbers <= set(ran) and not runner.is_silent:
        return f"{runner.name}-{plan}: exit {code}, ran {len(set(ran) & wanted)} of {len(wanted)}: {output.strip()[-200:]}", None
    return None, {"runner": runner.name, "plan": plan, "command": runner.command, "grain": runner.grain, "files": sorted(texts), "exit": code, "labels": labels, "output": output}


def tried(job):
    try:
        return make_one(job)
    except Exception as error:  # One broken runner must not lose the others' outputs.
        return f"{job[0].name}-{job[1]}: {error!r}", None


def jobs(names):
    return [(runner, plan) for runner in RUNNERS if not names or runner.name in names for plan in PLANS]


def make(out, names):
    cases, skipped = {}, []
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for (runner, plan), (why, case) in zip(jobs(names), pool.map(tried, jobs(names))):
            if why:
                skipped.append(why)
            else:
                case["held_out"] = plan in HELD_OUT
                cases[f"{runner.name}-{plan}"] = case
    about = "Outputs of real runners on projects with several faults, by tools/evaluate/drivers/several.py"
    json.dump({"about": about, "skipped": skipped, "cases": cases}, open(out, "w"), indent=1, sort_keys=True, ensure_ascii=False)
    print(f"{len(cases)} outputs of {len({case['runner'] for case in cases.values()})} runners; skipped {len(skipped)}")


def reproduce(commands, out):
    wanted = json.load(open(commands))
    by_name = {runner.name: runner for runner in RUNNERS}
    def one(item):
        identity, (runner, plan, command) = item
        code, output, ran = run(by_name[runner], project(by_name[runner], plan)[0], command)
        return identity, {"exit": code, "ran": ran, "end": output[-300:]}
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        json.dump(dict(pool.map(one, wanted.items())), open(out, "w"))


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["make", out, *names]:
            make(out, names)
        case ["reproduce", commands, out]:
            reproduce(commands, out)
        case _:
            sys.exit(__doc__)
