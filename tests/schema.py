# SPDX-License-Identifier: GPL-2.0-or-later
"""schema.py SCHEMA PACK...: what the schema says of each pack, a line each: "PACK: ok", or no."""
import json
import sys

import jsonschema
import yaml


class Loader(yaml.CSafeLoader):
    """YAML as packs mean it, by libyaml: a date is text."""


Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if not tag.endswith(":timestamp")]
    for first, resolvers in yaml.CSafeLoader.yaml_implicit_resolvers.items()
}

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
