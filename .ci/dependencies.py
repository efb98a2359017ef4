#!/usr/bin/env python3
"""Holds the packages of a lock file to the lists in .deny.toml: licenses, versions, sources.

    .ci/dependencies.py [Cargo.toml ...]     by default the one of the repository

What cargo-deny does, without its build of minutes; what it finds beyond this is advisories. The
engine itself may have three direct dependencies and no more, which cargo-deny cannot say.
"""

import json
import re
import subprocess
import sys
import tomllib
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENGINE = {"anyhow", "env_logger", "log"}


def is_allowed(expression, allowed):
    """Whether one of the ways to read a license needs nothing that is not allowed.

    >>> is_allowed("MIT OR GPL-3.0", {"MIT"}), is_allowed("MIT AND GPL-3.0", {"MIT"})
    (True, False)
    >>> is_allowed("(MIT OR Apache-2.0) AND Unicode-3.0", {"MIT", "Unicode-3.0"})
    True
    >>> is_allowed("MIT/Apache-2.0", {"MIT"}), is_allowed("", {"MIT"}), is_allowed("MIT OR", {"MIT"})
    (True, False, False)
    >>> is_allowed("Apache-2.0 WITH LLVM-exception", {"Apache-2.0"})
    False
    >>> is_allowed("A OR B AND C", {"A"}), is_allowed("(A OR B) AND C", {"A"})
    (True, False)
    """
    words = re.findall(r"[()]|[^\s()]+", expression.replace("/", " OR "))

    def either():
        value = both()
        while words and words[0] == "OR":
            words.pop(0)
            value = both() or value
        return value

    def both():
        value = one()
        while words and words[0] == "AND":
            words.pop(0)
            value = one() and value
        return value

    def one():
        if not words or words[0] in (")", "OR", "AND", "WITH"):
            raise ValueError(expression)
        name = words.pop(0)
        if name == "(":
            value = either()
            if not words or words.pop(0) != ")":
                raise ValueError(expression)
            return value
        if words and words[0] == "WITH":
            name = " ".join([name, words.pop(0), words.pop(0)])
        return name in allowed

    try:
        return either() and not words
    except (ValueError, IndexError):
        return False


def faults(metadata, policy):
    """All that a package graph has and the policy does not want, a line each."""
    licenses, versions = policy["licenses"], defaultdict(list)
    exceptions = {entry["crate"]: entry["allow"] for entry in licenses.get("exceptions", [])}
    registries = {f"registry+{url}" for url in policy["sources"]["allow-registry"]}
    for package in metadata["packages"]:
        name, version = package["name"], package["version"]
        versions[name].append(version)
        allowed = {*licenses["allow"], *exceptions.get(name, [])}
        if not is_allowed(package["license"] or "", allowed):
            yield f"{name} {version}: license {package['license']}"
        if package["source"] is not None and package["source"] not in registries:
            yield f"{name} {version}: comes from {package['source']}"
        if name == "tengen":
            direct = {entry["name"] for entry in package["dependencies"] if entry["kind"] is None}
            if direct != ENGINE:
                yield f"the engine depends on {sorted(direct)}, not on {sorted(ENGINE)}"
    skipped = {entry["crate"] for entry in policy["bans"]["skip"]}
    for name, found in versions.items():
        found = [version for version in found if f"{name}@{version}" not in skipped]
        if len(found) > 1:
            yield f"{name}: in the versions {', '.join(sorted(found))}"


def main():
    import doctest

    if doctest.testmod().failed:
        sys.exit(1)
    policy = tomllib.loads((ROOT / ".deny.toml").read_text())
    bad = []
    for manifest in map(Path, sys.argv[1:] or [ROOT / "Cargo.toml"]):
        command = ["cargo", "metadata", "--locked", "--format-version", "1", "--all-features"]
        output = subprocess.check_output([*command, "--manifest-path", manifest])
        metadata = json.loads(output)
        bad += [f"{manifest}: {fault}" for fault in faults(metadata, policy)]
        print(f"{manifest}: {len(metadata['packages'])} packages")
    for fault in bad:
        print(fault)
    if bad:
        sys.exit("not as .deny.toml wants it")


if __name__ == "__main__":
    main()
