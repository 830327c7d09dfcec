#!/usr/bin/env python3
"""Makes one file of the protos that a worker needs, from the jars of Kairos: protoset.py LIB... OUT

LIB is a jar, or a folder of jars or of protos. Needs protoc (Debian: protobuf-compiler).
"""

import glob
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile


def collect(source, into):
    if zipfile.is_zipfile(source):
        with zipfile.ZipFile(source) as jar:
            jar.extractall(into, [name for name in jar.namelist() if name.endswith(".proto")])
        return
    for jar in glob.glob(os.path.join(source, "*.jar")):
        collect(jar, into)
    for folder, _, names in os.walk(source):
        for name in names:
            if name.endswith(".proto"):
                copy = os.path.join(into, os.path.relpath(folder, source), name)
                os.makedirs(os.path.dirname(copy), exist_ok=True)
                shutil.copyfile(os.path.join(folder, name), copy)


def main(*words):
    *sources, out = words
    with tempfile.TemporaryDirectory() as protos:
        for source in sources:
            collect(source, protos)
        subprocess.run(
            [
                "protoc",
                "--proto_path=" + protos,
                "--include_imports",
                "--descriptor_set_out=" + out,
                "kairos/v1/worker_service.proto",
            ],
            check=True,
        )


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
