"""Reads workspaces with ElementTree (expat), for comparison with ftl-xml.

Standard input: documents, each behind its length (four bytes, big-endian).
Standard output: one JSON object a document: {"refused": why} or {"value": workspace}.
Numbers that are not integers are given as text, so that none is rounded on the way.
"""

import json
import sys
import xml.etree.ElementTree as ElementTree


def text_or_empty(element, name):
    return element.findtext(name, default="")


def texts(elements):
    return [element.text for element in elements]


def context(element):
    return {
        "path": element.get("path"),
        "lines": element.get("lines"),
        "content": text_or_empty(element, "content"),
        "exports": text_or_empty(element, "exports"),
        "imports": text_or_empty(element, "imports"),
    }


def failure(element):
    return {
        "name": element.get("name"),
        "cost": int(element.get("cost", "0")),
        "trigger": text_or_empty(element, "trigger"),
        "fix": text_or_empty(element, "fix"),
        "match": element.findtext("match"),
        "injected": element.get("injected") == "true",
    }


def pattern(element):
    return {
        "name": element.get("name"),
        "saved": int(element.get("saved", "0")),
        "trigger": text_or_empty(element, "trigger"),
        "insight": text_or_empty(element, "insight"),
        "injected": element.get("injected") == "true",
    }


def lineage(element):
    first = element.find("parent")
    if first is not None and first.get("seq"):
        parents = [
            {
                "seq": parent.get("seq"),
                "workspace": parent.get("workspace"),
                "prior_delivery": text_or_empty(parent, "prior_delivery"),
            }
            for parent in element.findall("parent")
        ]
    else:
        parents = [
            {
                "seq": None,
                "workspace": text_or_empty(element, "parent"),
                "prior_delivery": text_or_empty(element, "prior_delivery"),
            }
        ]
    return {
        "parents": parents,
        "parent": parents[0]["workspace"],
        "prior_delivery": parents[0]["prior_delivery"],
    }


def workspace(root):
    below = ".//implementation/"
    value = {
        name: root.get(name)
        for name in ("id", "status", "created_at", "completed_at", "blocked_at")
    }
    value["objective"] = text_or_empty(root, "objective")
    value["delta"] = texts(root.findall(below + "delta"))
    value["verify"] = text_or_empty(root, below + "verify")
    value["verify_source"] = text_or_empty(root, below + "verify_source")
    value["budget"] = int(root.findtext(below + "budget", default="5"))
    value["preflight"] = texts(root.findall(below + "preflight"))
    value["delivered"] = text_or_empty(root, "delivered")

    contexts = [context(element) for element in root.findall("code_context")]
    if contexts:
        value["code_context"] = contexts[0]
    if len(contexts) > 1:
        value["code_contexts"] = contexts

    confidence = root.findtext("framework_confidence")
    if confidence:
        value["framework_confidence"] = repr(float(confidence))
    idioms = root.find("idioms")
    if idioms is not None:
        if idioms.get("confidence"):
            value["framework_confidence"] = repr(float(idioms.get("confidence")))
        value["framework"] = idioms.get("framework")
        value["idioms"] = {
            "required": texts(idioms.findall("required")),
            "forbidden": texts(idioms.findall("forbidden")),
        }

    knowledge = root.find("prior_knowledge")
    if knowledge is not None:
        value["prior_knowledge"] = {
            "failures": [failure(element) for element in knowledge.findall("failure")],
            "patterns": [pattern(element) for element in knowledge.findall("pattern")],
        }

    utilization = root.find("memory_utilization")
    if utilization is not None:
        value["utilized_memories"] = [
            {"name": element.get("name"), "type": element.get("type", "failure")}
            for element in utilization.findall("utilized")
        ]

    element = root.find("lineage")
    if element is not None:
        value["lineage"] = lineage(element)
    return value


def documents(stream):
    while length := stream.read(4):
        yield stream.read(int.from_bytes(length, "big"))


def main():
    for document in documents(sys.stdin.buffer):
        try:
            answer = {"value": workspace(ElementTree.fromstring(document))}
        except (ElementTree.ParseError, ValueError, LookupError) as error:
            answer = {"refused": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer))


if __name__ == "__main__":
    main()
