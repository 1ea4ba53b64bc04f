"""Makes task files of plans a second time, and compares them with those that ftl made.

Written from the description of the plan format alone. Standard input: one case a line, a JSON
object with the plan, the project and what ftl made of both. Standard output: one line a case,
`ok` or what differs.
"""

import json
import re
import sys
import xml.etree.ElementTree as ElementTree

SHOWN = 60
HEAD = 15


class Refused(Exception):
    """The plan cannot be used."""


def expect(condition, what):
    if not condition:
        raise Refused(what)


def part_of_name(task, key):
    text = task.get(key)
    expect(isinstance(text, str) and text, key)
    expect(not text.startswith("."), key)
    expect(not re.search(r"[/\\\x00-\x1f\x7f-\x9f]", text), key)
    return text


def listed(value):
    expect(isinstance(value or [], list), "a list")
    for item in value or []:
        expect(isinstance(item, str), "a text")
    return value or []


def depends(value):
    if isinstance(value, str):
        value = [value]
    return [seq for seq in listed(value) if seq and seq != "none"]


def verify_source(task):
    if task.get("verify_source"):
        return task["verify_source"]
    command = task.get("verify") or ""
    if "*" in command:
        return ""
    quoted = re.search(r"""["']([^"']+\.py)["']""", command)
    if quoted and "test" in quoted.group(1).lower():
        return quoted.group(1)
    for found in re.finditer(r"(?:^|\s)([\w/.-]+\.py)(?:\s|$)", command):
        if "test" in found.group(1).lower():
            return found.group(1)
    return ""


def exports(lines):
    names = []
    for line in lines:
        if line.startswith("def "):
            names.append(line.split("(")[0].replace("def ", "").strip() + "()")
        elif line.startswith("class "):
            names.append(line.split("(")[0].split(":")[0].replace("class ", "").strip())
        elif "=" in line and not line.startswith((" ", "#")):
            name = line.split("=")[0].strip()
            if name.isidentifier():
                names.append(name)
    return ", ".join(names)


def context(path, text, kind, target):
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if kind == "SPEC" or target is None:
        shown = lines[:SHOWN]
        ranges = f"1-{len(shown)}"
    elif "-" not in target:
        shown = lines[:HEAD]
        ranges = f"1-{len(shown)}"
    else:
        first, last = (int(number) for number in target.split("-"))
        head = min(HEAD, len(lines))
        start = max(head, first - 5)
        end = min(len(lines), last + 10)
        shown = lines[:head]
        if start > head:
            shown.append(f"# ... lines {head + 1}-{start - 1} omitted ...")
        shown += lines[start:end] if end > start else []
        ranges = f"1-{head},{start + 1}-{end}"
    imports = [
        line.strip() for line in lines[:30] if line.startswith(("import ", "from "))
    ]
    return node(
        "code_context",
        {"path": path, "lines": ranges},
        "",
        [
            node("content", {}, "\n".join(shown)),
            node("exports", {}, exports(shown)),
            node("imports", {}, "\n".join(imports)),
        ],
    )


def normalised(path):
    return "/".join(part for part in path.split("/") if part not in ("", "."))


def usable(path):
    """Whether a delta path names a file that could be read."""
    return path and not path.startswith("/") and ".." not in path.split("/")


def confidence(project):
    try:
        return round(float(project["exploration"]["pattern"]["confidence"]), 2)
    except (KeyError, TypeError, ValueError):
        return 1.0


def delivered(text):
    return ElementTree.fromstring(text).findtext("delivered", default="")


def siblings(records):
    failures = []
    for name in sorted(records):
        if not name.endswith("_blocked.xml"):
            continue
        try:
            said = delivered(records[name])
        except ElementTree.ParseError:
            continue
        if "BLOCKED:" not in said:
            continue
        reason = said.split("BLOCKED:", 1)[1].strip()
        trigger = reason.split("\n")[0].strip()
        if trigger:
            fix = "See blocked workspace for attempted fixes"
            failures.append(
                node(
                    "failure",
                    {
                        "name": "sibling-" + name[: -len(".xml")],
                        "cost": "1000",
                        "injected": "false",
                    },
                    "",
                    [node("trigger", {}, trigger), node("fix", {}, fix)],
                )
            )
    return failures


def lineage(seqs, records):
    parents = []
    for seq in seqs:
        names = [
            name
            for name in sorted(records)
            if name.startswith(seq + "_") and name.endswith("_complete.xml")
        ]
        if names:
            try:
                said = delivered(records[names[0]])
            except ElementTree.ParseError as error:
                raise Refused(names[0]) from error
            about = {"seq": seq, "workspace": names[0][: -len(".xml")]}
            parents.append(node("parent", about, "", [node("prior_delivery", {}, said)]))
    return node("lineage", {}, "", parents)


def idioms(plan, project):
    framework = plan.get("framework")
    if not framework or framework == "none":
        return None
    known = project["registry"].get(framework, {})
    planned = plan.get("idioms") or {}
    children = []
    for kind in ("required", "forbidden"):
        for text in known.get(kind) or planned.get(kind) or []:
            children.append(node(kind, {}, text))
    return node("idioms", {"framework": framework}, "", children)


def node(tag, attributes, text="", children=()):
    return {"tag": tag, "attributes": attributes, "text": text, "children": list(children)}


def workspace(plan, project, task, failures, now):
    seq, slug = part_of_name(task, "seq"), part_of_name(task, "slug")
    budget = task.get("budget", 5)
    expect(isinstance(budget, int), "budget")
    kind = task.get("type") or "BUILD"
    targets = task.get("target_lines") or {}
    for target in targets.values():
        if kind != "SPEC" and "-" in target:
            expect(re.fullmatch(r"\s*[+-]?\d+\s*-\s*[+-]?\d+\s*", target), "a range")
    delta, commands = listed(task.get("delta")), listed(task.get("preflight"))
    before = depends(task.get("depends"))
    source = verify_source(task)
    steps = [node("delta", {}, path) for path in delta]
    steps.append(node("verify", {}, task.get("verify") or ""))
    if source:
        steps.append(node("verify_source", {}, source))
    steps.append(node("budget", {}, str(budget)))
    steps += [node("preflight", {}, command) for command in commands]
    children = []
    if plan.get("objective"):
        children.append(node("objective", {}, plan["objective"]))
    children.append(node("implementation", {}, "", steps))
    for path in delta:
        text = project["files"].get(normalised(path)) if usable(path) else None
        if text is not None:
            children.append(context(normalised(path), text, kind, targets.get(path)))
    found = idioms(plan, project)
    if found:
        children.append(found)
    certainty = repr(confidence(project))
    children.append(node("framework_confidence", {}, certainty))
    if failures:
        children.append(node("prior_knowledge", {}, "", failures))
    if before:
        children.append(lineage(before, project["records"]))
    children.append(node("delivered", {}))
    attributes = {
        "id": f"{seq}-{slug}",
        "status": "active",
        "_schema_version": "1.0",
        "created_at": now,
    }
    if before:
        attributes["depends"] = " ".join(before)
    return f"{seq}_{slug}_active.xml", node("workspace", attributes, "", children)


def files(case):
    plan, project = case["plan"], case["project"]
    chosen = [
        task
        for task in plan.get("tasks") or []
        if case["task"] is None or task.get("seq") == case["task"]
    ]
    expect(case["task"] is None or chosen, "no such task")
    failures = siblings(project["records"])
    made = [workspace(plan, project, task, failures, case["now"]) for task in chosen]
    names = [name for name, _ in made]
    expect(len(names) == len(set(names)), "two of one name")
    return made


def read(element):
    children = [read(child) for child in element]
    text = element.text or ""
    if children and not text.strip():
        text = ""
    attributes = dict(element.attrib)
    if element.tag == "idioms":
        attributes.pop("confidence", None)
    return node(element.tag, attributes, text, children)


def compare(case):
    try:
        expected = files(case)
    except Refused as problem:
        return "ok" if case["made"] is None else f"only ftl takes it: {problem}"
    if case["made"] is None:
        return f"only ftl refuses it: {case['problems']}"
    if [name for name, _ in expected] != [name for name, _ in case["made"]]:
        return f"names: {[name for name, _ in expected]}"
    for (name, mine), (_, text) in zip(expected, case["made"]):
        theirs = read(ElementTree.fromstring(text))
        if mine != theirs:
            return f"{name}: expected {json.dumps(mine)}, ftl made {json.dumps(theirs)}"
    return "ok"


def main():
    for line in sys.stdin:
        print(json.dumps(compare(json.loads(line))))


if __name__ == "__main__":
    main()
