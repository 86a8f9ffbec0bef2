"""Reads Hadoop 2 and 3 job histories (Avro-Json and Avro-Binary, gzipped or not), by the schema that each file carries.

    python3 jhist.py FILE     prints one JSON object an event: {"type": ..., "event": {...}}

Small and slow on purpose: something to compare the C++ reader with.
"""
import gzip
import json
import struct
import sys


def open_bytes(path):
    with (gzip.open if str(path).endswith(".gz") else open)(path, "rb") as file:
        return file.read()


class Decoder:
    """Avro's binary encoding; schemas given by name are looked up among those already seen."""

    def __init__(self, data, position):
        self.data, self.position, self.named = data, position, {}

    def long(self):
        shift = value = 0
        while True:
            byte = self.data[self.position]
            self.position += 1
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return (value >> 1) ^ -(value & 1)
            shift += 7

    def take(self, size):
        if size < 0 or self.position + size > len(self.data):
            raise ValueError(f"{size} bytes wanted at {self.position} of {len(self.data)}")
        self.position += size
        return self.data[self.position - size:self.position]

    def blocks(self):
        """The counts of an array's or map's items; a negative one is followed by the block's size."""
        while count := self.long():
            if count < 0:
                self.long()
            for _ in range(abs(count)):
                yield

    def learn(self, schema):
        """Notes the named types in a schema, so that data need not pass them first."""
        if isinstance(schema, list):
            for branch in schema:
                self.learn(branch)
        elif isinstance(schema, dict):
            if "name" in schema and schema["type"] in ("record", "enum"):
                self.named[schema["name"]] = schema
            for field in schema.get("fields", []):
                self.learn(field["type"])
            for inner in ("items", "values"):
                self.learn(schema.get(inner))

    def read(self, schema):
        if isinstance(schema, list):
            return self.read(schema[self.long()])
        if isinstance(schema, str) and schema in self.named:
            schema = self.named[schema]
        kind = schema if isinstance(schema, str) else schema["type"]
        if kind == "record":
            return {field["name"]: self.read(field["type"]) for field in schema["fields"]}
        if kind == "enum":
            return schema["symbols"][self.long()]
        if kind == "array":
            return [self.read(schema["items"]) for _ in self.blocks()]
        if kind == "map":
            return {self.read("string"): self.read(schema["values"]) for _ in self.blocks()}
        if kind in ("int", "long"):
            return self.long()
        if kind == "string":
            return self.take(self.long()).decode()
        if kind == "boolean":
            return self.take(1) == b"\x01"
        if kind == "double":
            return struct.unpack("<d", self.take(8))[0]
        if kind == "null":
            return None
        return self.read(kind)


def unwrap(value):
    """Avro's JSON writes a union's value as {"branch": value}; a record's branch has a dotted name."""
    if isinstance(value, dict):
        if len(value) == 1:
            (name, inner), = value.items()
            if name in ("string", "int", "long", "boolean") or name.startswith("org.apache.hadoop."):
                return unwrap(inner)
        return {name: unwrap(inner) for name, inner in value.items()}
    return [unwrap(inner) for inner in value] if isinstance(value, list) else value


def events(path):
    data = open_bytes(path)
    first = data.index(b"\n")
    second = data.index(b"\n", first + 1)
    encoding, schema = data[:first].decode(), json.loads(data[first + 1:second])
    if encoding == "Avro-Json":
        for line in data[second + 1:].splitlines():
            if line.strip():
                yield unwrap(json.loads(line))
    elif encoding == "Avro-Binary":
        decoder = Decoder(data, second + 1)
        decoder.learn(schema)
        while decoder.position < len(data):
            yield decoder.read(schema)
    else:
        raise ValueError(f"{path}: unknown encoding {encoding!r}")


def main():
    for event in events(sys.argv[1]):
        print(json.dumps(event))


if __name__ == "__main__":
    main()
