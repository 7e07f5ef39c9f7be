#!/usr/bin/env python3
"""Gathers seeds for the target `load`: seeds.py OUT FOLDER...

Takes every .glb and .gltf below the folders that fits an input, buffers packed into the file, and appends the byte that says
how to load it (lenient, small limits; see src/load.rs). Files are named by their contents, so that none is there twice.
"""
import base64
import hashlib
import json
import pathlib
import struct
import sys

MOST_BYTES = 8_000
CHOICE = b"\x08"


def beside(path, uri):
    """The bytes of a small file next to another one; hostile files name `/dev/zero` too."""
    other = (path.parent / uri).resolve()
    if not other.is_file() or other.stat().st_size > MOST_BYTES:
        raise OSError(f"no small file {uri}")
    return other.read_bytes()


def packed(path):
    """The bytes of a file that stands alone, as far as its buffers are found."""
    data = path.read_bytes()
    if path.suffix != ".gltf":
        return data
    try:
        root, binary = json.loads(data), b""
        for index, buffer in enumerate(root.get("buffers", [])):
            uri = buffer["uri"]
            if uri.startswith("data:"):
                content = base64.b64decode(uri.split(",", 1)[1])
            else:
                content = beside(path, uri)
            if index == 0:
                binary = content + b"\0" * (-len(content) % 4)
                del buffer["uri"]
            else:
                buffer["uri"] = "data:application/octet-stream;base64," + base64.b64encode(content).decode()
    except (ValueError, KeyError, TypeError, AttributeError, OSError, RecursionError, IndexError):
        return data
    text = json.dumps(root, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(binary), b"BIN\0") + binary
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def main():
    out = pathlib.Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    count = 0
    for folder in sys.argv[2:]:
        for path in sorted(pathlib.Path(folder).rglob("*")):
            if path.suffix not in (".glb", ".gltf") or not path.is_file() or path.stat().st_size > 40_000:
                continue
            data = packed(path)
            if len(data) < MOST_BYTES:
                (out / hashlib.sha1(data).hexdigest()).write_bytes(data + CHOICE)
                count += 1
    print(f"{count} files, {len(list(out.iterdir()))} different inputs in {out}")


main()
