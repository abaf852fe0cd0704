# SPDX-License-Identifier: GPL-2.0-or-later
"""
schema.py SCHEMA PACK...: what the schema says of each pack, a line each: "PACK: ok", or no.

schema.py --split DIR PACK...: each rule of packs that may be wrong, and each struct without its
rules, as a pack of its own: DIR/N.yaml, and in DIR/N the rule or struct in a line.
"""
import json
import os
import re
import sys

import jsonschema
import yaml


class Loader(yaml.CSafeLoader):
    """YAML as packs mean it, by libyaml: a date is text."""


Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if not tag.endswith(":timestamp")]
    for first, resolvers in yaml.CSafeLoader.yaml_implicit_resolvers.items()
}

def line(value):
    return yaml.dump(value, Dumper=yaml.CSafeDumper, default_flow_style=True, width=10**6).strip()


def is_group(name, members):
    return (isinstance(name, str) and re.fullmatch("[a-z_]+", name) and isinstance(members, list)
            and all(isinstance(m, str) and re.fullmatch("[a-z_]+", m) for m in members)
            and len(set(members)) == len(members) > 0)


def variable_parts(pack):
    """({"variables": one rule}, that in a line)"""
    blocks = pack.get("variables", [])
    for block in blocks if isinstance(blocks, list) else [blocks]:
        if not isinstance(block, dict) or not isinstance(block.get("rules"), list):
            continue
        rest = {**block, "rules": [{"alone": "a"}]}
        yield {"variables": rest}, line({k: v for k, v in rest.items() if k != "rules"})
        for rule in block["rules"]:
            yield {"variables": {"rules": [rule]}}, line(rule)


def struct_parts(pack):
    """({"structs": a struct with one rule}, that in a line)"""
    structs = pack.get("structs")
    for name, block, text in parts(structs) if isinstance(structs, dict) else []:
        yield {"structs": {name: block}}, text


def parts(structs):
    """(a struct's name, the struct with one rule, that in a line)"""
    for name, blocks in structs.items():
        for block in blocks if isinstance(blocks, list) and blocks else [blocks]:
            if not isinstance(block, dict):
                yield name, block, line({name: block})
                continue
            rules = block.get("rules")
            sound = {key: block[key] for key in ("alloc",) if key in block}
            groups = {k: v for k, v in (block.get("groups") or {}).items() if is_group(k, v)} \
                if isinstance(block.get("groups"), dict) else {}
            if groups:
                sound["groups"] = groups
            rest = {**block, "rules": [{"size": 8}]} if rules and isinstance(rules, list) else block
            yield name, rest, line({name: {k: v for k, v in rest.items() if k != "rules"}})
            for rule in rules if isinstance(rules, list) else []:
                yield name, {**sound, "rules": [rule]}, line(rule)


def split(directory, paths):
    n = 0
    for path in paths:
        try:
            with open(path, encoding="utf-8") as file:
                pack = yaml.load(file, Loader)
        except (yaml.YAMLError, ValueError):
            continue
        if not isinstance(pack, dict):
            continue
        for part, text in [*struct_parts(pack), *variable_parts(pack)]:
            n += 1
            with open(os.path.join(directory, f"{n}.yaml"), "w", encoding="utf-8") as file:
                print(line({"layoutcheck": 1, **part}), file=file)
            with open(os.path.join(directory, str(n)), "w", encoding="utf-8") as file:
                print(text, file=file)


if sys.argv[1] == "--split":
    split(sys.argv[2], sys.argv[3:])
    sys.exit()

with open(sys.argv[1], encoding="utf-8") as file:
    schema = json.load(file)
jsonschema.Draft7Validator.check_schema(schema)
validator = jsonschema.Draft7Validator(schema)
for path in sys.argv[2:]:
    try:
        with open(path, encoding="utf-8") as file:
            pack = yaml.load(file, Loader)
        print(f"{path}: {'ok' if validator.is_valid(pack) else 'no'}")
    except (yaml.YAMLError, ValueError) as error:
        print(f"{path}: unreadable")
