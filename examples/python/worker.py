#!/usr/bin/env python3
"""Performs the tasks of the handler "greet":

    ./protoset.py ../../server/target/kairos/lib kairos.protoset
    ./worker.py --protos kairos.protoset

As an executor of a controller it finds its address and its name in the environment.
"""

import argparse
import os
import signal

import kairos_worker


def greet(task):
    print("hello %s, this is attempt %d" % (task.payload.decode(), task.attempt), flush=True)


def main():
    arguments = argparse.ArgumentParser(description="Performs the tasks of the handler greet.")
    arguments.add_argument("--protos", required=True, help="made by protoset.py")
    arguments.add_argument("--address", default=os.environ.get("KAIROS_ADDRESS", "127.0.0.1:7070"))
    arguments.add_argument("--name", default=os.environ.get("KAIROS_WORKER", "python-%d" % os.getpid()))
    arguments.add_argument("--concurrency", type=int, default=1)
    given = arguments.parse_args()
    worker = kairos_worker.Worker(
        given.protos,
        given.address,
        {"greet": greet},
        given.name,
        given.concurrency,
        os.environ.get("KAIROS_TOKEN"),
    )
    if "KAIROS_WORKER" in os.environ:
        kairos_worker.end_with_parent()
    signal.signal(signal.SIGTERM, lambda *_: worker.stop())
    worker.run()


if __name__ == "__main__":
    main()
