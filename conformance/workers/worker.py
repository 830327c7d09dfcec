"""The worker in Python, as the conformance kit starts it: docs/conformance.md."""

import hashlib
import os
import time

from kairos_client import FatalFailure, Snooze, TaskContext, Worker


def echo(task: TaskContext) -> bytes:
    return task.payload


def digest(task: TaskContext) -> str:
    return hashlib.sha256(task.payload).hexdigest()


def fail(task: TaskContext) -> str:
    if task.attempt < int(task.text()):
        raise ValueError(f"conformance: attempt {task.attempt}")
    return str(task.attempt)


def fatal(task: TaskContext) -> None:
    raise FatalFailure("conformance: never")


def snooze(task: TaskContext) -> None:
    if time.time() < float(task.text()):
        raise Snooze(1)


def slow(task: TaskContext) -> None:
    until = time.monotonic() + float(task.text())
    with open(os.environ["CONFORMANCE_EFFECTS"], "a", encoding="ascii", buffering=1) as effects:
        while time.monotonic() < until:
            effects.write(f"{task.id} {task.fence} {time.time_ns() // 1_000_000}\n")
            task.sleep(0.05)


def large(task: TaskContext) -> bytes:
    return bytes(int(task.text()))


def progress(task: TaskContext) -> None:
    task.progress(50, "half")
    task.sleep(float(task.text()))


BEHAVIOURS = [echo, digest, fail, fatal, snooze, slow, large, progress]

worker = Worker(
    name=os.environ["KAIROS_WORKER"],
    concurrency=int(os.environ["CONFORMANCE_CONCURRENCY"]),
    drain=float(os.environ["CONFORMANCE_DRAIN"]),
)
for name in os.environ["CONFORMANCE_HANDLERS"].split(","):
    worker.handler(name, next(one for one in BEHAVIOURS if name.endswith("." + one.__name__)))
worker.run()
