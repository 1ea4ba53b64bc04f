#!/usr/bin/env python3
"""Cuts the power at every moment of a landing and of its undoing.

A real build runs under strace, which writes down what it does to names, contents and syncs. From that, every disk is
made that a power cut right before a sync, or at the end, could leave: names in the order of a journal (ext4, XFS) or
lost directory by directory (all that POSIX promises), and contents that were not synced kept or lost. In each of them
the build of another task takes the project's lock. Then the project must be as before, or as landed if the record is
sealed as complete. `--without-sync` leaves each sync of ftl out in turn, to see which of them the check would miss.

usage: FTL=path/of/ftl cuts.py [--without-sync]

FTL_TRIALS limits the disks that are tried of each build (all of them else), FTL_ONLY the builds: `true` lands, and
`false` lands and undoes it.
"""
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

FTL = os.environ.get("FTL", "ftl")
CALLS = ("openat,mkdir,mkdirat,write,pwrite64,rename,renameat,renameat2,link,linkat,symlink,symlinkat,unlink,unlinkat,"
         "rmdir,fsync,fdatasync,ftruncate,copy_file_range,sendfile,ioctl")
TRIALS = int(os.environ.get("FTL_TRIALS", "0"))
DIR = "directory"
OTHER = {"other.txt": b"of another task\n"}
BEFORE = {"a.txt": b"a before\n", "b.txt": b"b before\n", "gone.txt": b"soon gone\n"} | OTHER
AFTER = {"a.txt": b"a landed\n", "b.txt": b"b landed\n", "new/c.txt": b"c landed\n"} | OTHER
AGENT = ("printf 'a landed\\n' >a.txt; printf 'b landed\\n' >b.txt; mkdir new; printf 'c landed\\n' >new/c.txt; "
         "rm gone.txt")


class Volume:
    """Names of a tree, and the contents of its files, which several names may share."""

    def __init__(self, names, files):
        self.names, self.files = names, files

    @staticmethod
    def read(top):
        names, files = {}, {}
        for place, directories, found in os.walk(top):
            names[place] = DIR
            for name in found + [it for it in directories if os.path.islink(os.path.join(place, it))]:
                path = os.path.join(place, name)
                if os.path.islink(path):
                    names[path] = ("link", os.readlink(path))
                elif os.path.isfile(path):
                    names[path] = ("file", len(files))
                    files[len(files)] = Path(path).read_bytes()
        return Volume(names, files)

    def copy(self):
        return Volume(dict(self.names), dict(self.files))

    def apply(self, step):
        kind, *rest = step
        if kind == "make":
            self.names[rest[0]] = rest[1]
            if rest[1][0] == "file":
                self.files.setdefault(rest[1][1], b"")
        elif kind == "remove":
            self.names.pop(rest[0], None)
        elif kind in ("rename", "exchange"):
            one, other = rest
            moved = {path: it for path, it in self.names.items() if below(path, one)}
            back = {path: it for path, it in self.names.items() if below(path, other)}
            for path in [*moved, *back]:
                self.names.pop(path, None)
            self.names.update({other + path[len(one):]: it for path, it in moved.items()})
            if kind == "exchange":
                self.names.update({one + path[len(other):]: it for path, it in back.items()})
        elif kind == "write":
            file, at, data = rest
            old = self.files.get(file, b"").ljust(at, b"\0")
            self.files[file] = old[:at] + data + old[at + len(data):]
        elif kind == "resize":
            file, size = rest
            self.files[file] = self.files.get(file, b"")[:size].ljust(size, b"\0")

    def content(self):
        return {path: self.files.get(it[1], b"") if it[0] == "file" else it for path, it in self.names.items()}


def below(path, top):
    return path == top or path.startswith(top + "/")


def text(quoted):
    return re.sub(rb"\\x(..)", lambda it: bytes([int(it[1], 16)]), quoted)


def calls(trace):
    """Name, arguments, result and current directory of each call, in the order in which they ended."""
    begun, current = {}, {}
    for line in trace.read_bytes().splitlines():
        process, _, rest = line.partition(b" ")
        rest = rest.strip()
        if rest.endswith(b"<unfinished ...>"):
            begun[process] = rest[:-len(b"<unfinished ...>")]
            continue
        resumed = re.match(rb"<\.\.\. \w+ resumed>(.*)", rest)
        if resumed:
            rest = begun.pop(process, b"") + resumed[1]
        # Every program opens a library or a file first, which shows where it is.
        here = re.search(rb"AT_FDCWD<([^<>]*)>", rest)
        if here:
            current[process] = text(here[1]).decode(errors="surrogateescape")
        found = re.match(rb"(\w+)\((.*)\)\s+= (-?\w+)(.*)$", rest)
        if found and not found[3].startswith(b"-"):
            yield found[1].decode(), found[2], current.get(process, "/"), found[4]


def steps(trace, base, top):
    """What the calls did below `top`, one step each."""
    volume, done, place, fresh = base.copy(), [], {}, [len(base.files)]

    def take(*step):
        volume.apply(step)
        done.append(step)

    def full(directory, name):
        return os.path.normpath(os.path.join(directory, name))

    def create(path):
        fresh[0] += 1
        take("make", path, ("file", fresh[0]))

    for name, arguments, current, more in calls(trace):
        parts = [text(it).decode(errors="surrogateescape") for it in
                 re.findall(rb'<((?:[^<>"])*)>|"((?:[^"])*)"', arguments) for it in it if it]
        inside = [it for it in parts if below(it, top)]
        if name == "openat":
            found = re.search(rb"<([^<>]*)>", more)
            path = text(found[1]).decode(errors="surrogateescape") if found else ""
            if not below(path, top) or b"O_TMPFILE" in arguments:
                continue
            if path not in volume.names and b"O_CREAT" in arguments:
                create(path)
            it = volume.names.get(path)
            if it and it[0] == "file":
                if b"O_TRUNC" in arguments and volume.files[it[1]]:
                    take("resize", it[1], 0)
                if b"O_WRONLY" in arguments or b"O_RDWR" in arguments:
                    place[path] = len(volume.files[it[1]]) if b"O_APPEND" in arguments else 0
            continue
        if not inside and not below(current, top):
            continue
        if name in ("write", "pwrite64", "ftruncate", "fsync", "fdatasync", "copy_file_range", "sendfile", "ioctl"):
            path = re.sub(r" \(deleted\)$", "", parts[0]) if parts else ""
            it = volume.names.get(path)
            if it == DIR and "sync" in name:
                take("sync", path)
            if it is None or it[0] != "file":
                continue
            if "sync" in name:
                take("sync", it[1])
            elif name == "ftruncate":
                take("resize", it[1], int(arguments.rsplit(b",", 1)[1]))
            elif name == "pwrite64":
                take("write", it[1], int(arguments.rsplit(b",", 1)[1]), text(re.search(rb'"([^"]*)"', arguments)[1]))
            elif name == "write":
                data = text(re.search(rb'"([^"]*)"', arguments)[1])
                take("write", it[1], place.get(path, 0), data)
                place[path] = place.get(path, 0) + len(data)
            else:
                raise SystemExit(f"{name} copied what the trace does not show")
            continue
        # Two arguments a name: a directory, which may be the current one, and a path.
        where, named = [], re.findall(rb'(?:(?:\d+|AT_FDCWD)<([^<>]*)>, )?"([^"]*)"', arguments)
        for directory, path in named:
            decoded = [text(it).decode(errors="surrogateescape") for it in (directory, path)]
            where.append(full(decoded[0] or current, decoded[1]))
        if not all(below(it, top) for it in where[:2] if not name.startswith("symlink")):
            continue
        if name.startswith("mkdir"):
            take("make", where[0], DIR)
        elif name.startswith("rename"):
            take("exchange" if b"RENAME_EXCHANGE" in arguments else "rename", *where[:2])
        elif name in ("link", "linkat"):
            if where[0] in volume.names:
                take("make", where[1], volume.names[where[0]])
        elif name.startswith("symlink"):
            take("make", where[-1], ("link", text(named[0][1]).decode(errors="surrogateescape")))
        elif name in ("unlink", "unlinkat", "rmdir"):
            take("remove", where[0])
    return done, volume


def disks(base, log, at):
    """Every disk that a cut after the first `at` steps can leave, of those that are tried."""
    durable, pending, cached = base.copy(), [], base.copy()
    synced = dict(base.files)
    for step in log[:at]:
        cached.apply(step)
        if step[0] == "sync":
            if not isinstance(step[1], str):
                synced[step[1]] = cached.files[step[1]]
            pending.append(step)
        elif step[0] in ("write", "resize", "none"):
            continue
        else:
            pending.append(step)
    # A journal of metadata is committed by any sync.
    last = max((i for i, step in enumerate(pending) if step[0] == "sync"), default=-1)
    changes = [step for step in pending[last + 1:]]
    committed = [step for step in pending[:last + 1] if step[0] != "sync"]
    choices = [committed + changes[:count] for count in range(len(changes) + 1)]
    # Without one, a sync of a directory keeps its names alone.
    open_steps = []
    for step in pending:
        if step[0] == "sync":
            open_steps = [it for it in open_steps if directory(it) != step[1]]
        else:
            open_steps.append(step)
    names = [step for step in pending if step[0] != "sync"]
    unsynced = {directory(step) for step in open_steps}
    for lost in unsynced:
        choices.append([it for it in names if it not in open_steps or directory(it) != lost])
        choices.append([it for it in names if it not in open_steps or directory(it) == lost])
    for choice in choices:
        volume = durable.copy()
        for step in choice:
            if step[0] != "make" or os.path.dirname(step[1]) in volume.names:
                volume.apply(step)
        for files in (synced, cached.files):
            yield Volume(volume.names, files)


def directory(step):
    return os.path.dirname(step[1])


def materialize(volume, top):
    shutil.rmtree(top)
    for path, it in sorted(volume.names.items()):
        if not os.path.isdir(os.path.dirname(path)):
            continue
        if it == DIR:
            os.makedirs(path, exist_ok=True)
        elif it[0] == "link":
            os.symlink(it[1], path)
        else:
            Path(path).write_bytes(volume.files.get(it[1], b""))


def project_files(project):
    found = {}
    for place, directories, files in os.walk(project):
        directories[:] = [it for it in directories if it not in (".git", ".ftl")]
        for name in files:
            path = Path(place, name)
            found[str(path.relative_to(project))] = path.read_bytes()
    return found


def judge(volume, top, project, environment):
    """What is wrong on this disk after the next command took the lock; empty if nothing is."""
    materialize(volume, top)
    said = subprocess.run([FTL, "build", "2", "--tree", "--no-change", "--evidence", "none"], cwd=project,
                          env=environment, capture_output=True, text=True)
    found = project_files(project)
    is_complete = any(Path(project, ".ftl/workspace").glob("001_*_complete.xml"))
    if found == (AFTER if is_complete else BEFORE) and said.returncode == 0:
        return ""
    return f"complete: {is_complete}, the other build ended with {said.returncode}: {said.stderr[-500:]}\n    {found}"


def scenario(verify, wanted, without_sync):
    with tempfile.TemporaryDirectory(prefix="power") as place:
        top = os.path.join(os.path.realpath(place), "disk")
        project = os.path.join(top, "project")
        for path in (project, top + "/state", top + "/home"):
            os.makedirs(path)
        environment = {"PATH": os.environ["PATH"], "HOME": top + "/home", "XDG_STATE_HOME": top + "/state",
                       "NO_COLOR": "1"}

        def command(*words):
            subprocess.run(words, cwd=project, env=environment, check=True, stdout=subprocess.DEVNULL)
        command("git", "init", "--quiet")
        for name, content in BEFORE.items():
            Path(project, name).write_bytes(content)
        command("git", "add", "--all")
        command("git", "-c", "user.name=a", "-c", "user.email=a@localhost", "commit", "--quiet", "-m", "before")
        delta = [word for name in sorted({*BEFORE, *AFTER} - {*OTHER}) for word in ("--delta", name)]
        command(FTL, "new", "Land it", *delta, "--verify", verify)
        command(FTL, "new", "Another", "--delta", "other.txt", "--verify", "true")
        base, trace = Volume.read(top), Path(place, "trace")
        ended = subprocess.run(
            ["strace", "-f", "-y", "-xx", "-qq", "-s", "4194304", "-o", trace, "-e", "trace=" + CALLS, "-e",
             "inject=copy_file_range,sendfile:error=ENOSYS", "-e", "signal=none", FTL, "build", "1", "--agent", AGENT, "--isolate",
             "copy", "--evidence", "none"], cwd=project, env=environment, capture_output=True, text=True)
        assert ended.returncode == wanted, ended
        log, after = steps(trace, base, top)
        real = Volume.read(top).content()
        differ = [path for path in {*real, *after.content()} if real.get(path) != after.content().get(path)]
        assert not differ, f"the trace does not tell all: {differ[:9]}"
        # A landing begins with its plan.
        begin = next(i for i, step in enumerate(log) if step[0] == "make" and "/landing/" in step[1])
        syncs = [i for i, step in enumerate(log) if step[0] == "sync" and i >= begin]
        print(f"`{verify}`: {len(log)} steps, {len(log) - begin} from the landing on, {len(syncs)} syncs", flush=True)
        logs = [log] if not without_sync else [log[:it] + [("none",)] + log[it + 1:] for it in syncs]
        wrong = 0
        for left_out, log in zip(syncs if without_sync else [None], logs):
            found = {}
            for at in [it for it in syncs if it > (left_out or 0)] + [len(log)]:
                for volume in disks(base, log, at):
                    key = hashlib.sha256(repr(sorted(volume.content().items())).encode()).digest()
                    found.setdefault(key, (at, volume))
            tried = list(found.values())
            if TRIALS:
                tried = tried[::max(1, len(tried) // TRIALS)]
            bad = []
            for at, volume in tried:
                problem = judge(volume, top, project, environment)
                if problem:
                    bad.append((at, problem))
                    if without_sync:
                        break
            if left_out is None:
                for at, problem in bad[:5]:
                    print(f"  cut before step {at}: {problem}")
                print(f"  {len(tried)} of {len(found)} disks, {len(bad)} wrong", flush=True)
            else:
                number = syncs.index(left_out)
                verdict = f"found before step {bad[0][0]}" if bad else "not found"
                print(f"  without sync {number}, at step {left_out}: {verdict} ({len(tried)} of {len(found)} disks)",
                      flush=True)
            wrong += len(bad)
        return wrong


def main():
    without_sync = sys.argv[1:] == ["--without-sync"]
    landed = os.environ.get("FTL_ONLY", "true false").split()
    wrong = sum(scenario(verify, {"true": 0, "false": 3}[verify], without_sync) for verify in landed)
    if without_sync:
        sys.exit("no sync that is left out is found" if wrong == 0 else 0)
    sys.exit(1 if wrong else 0)


main()
