"""Schedules tasks, and asks for what became of them."""

from __future__ import annotations

import os
import time
import urllib.parse
from collections.abc import Iterator, Sequence
from datetime import datetime
from types import TracebackType
from typing import Any

from .errors import StillRunningError, TaskFailedError
from .model import (
    Batch,
    CancelOutcome,
    Duration,
    Scheduled,
    Task,
    TaskRequest,
    TaskResult,
    TaskState,
    duration_text,
    seconds_of,
    time_text,
)
from .transport import Credentials, Token, Transport, addresses_of

_ANSWER_TIME = 5.0
_LONGEST_WAIT = 30.0


class KairosClient:
    """Calls the nodes in turn. Thread-safe; close it, or use it as a context manager.

    Calls that are idempotent are repeated on other nodes, six times at most; so is a call that certainly had no effect.
    A schedule call whose answer was lost is repeated only when all of its tasks have an idempotency key that outlives
    them, such as Idempotency.of_call().
    """

    def __init__(
        self,
        *addresses: str,
        token: Token | None = None,
        token_file: str | os.PathLike[str] | None = None,
        ca_file: str | os.PathLike[str] | None = None,
        certificate_file: str | os.PathLike[str] | None = None,
        key_file: str | os.PathLike[str] | None = None,
        timeout: float = 10.0,
    ):
        """addresses are host:port, http://host:port or https://host:port (default: KAIROS_ADDRESS, else
        127.0.0.1:7070); token is a text or a function (default: KAIROS_TOKEN); timeout is that of one call of one node,
        in seconds."""
        self._wire = Transport(
            addresses_of(addresses), Credentials(token, token_file, ca_file, certificate_file, key_file)
        )
        self._timeout = timeout

    def schedule(self, task: TaskRequest) -> Scheduled:
        """Stores a task: when the call returns, the task is durable."""
        answer = self._call("POST", "/v1/tasks", task.to_json(), idempotent=_repeatable([task]))
        return Scheduled(answer["id"], answer.get("duplicate", False))

    def schedule_all(self, tasks: Sequence[TaskRequest]) -> list[Scheduled]:
        """Stores 1 to 1,000 tasks, all of them or none. They may wait for each other: After(index=0)."""
        answer = self._call(
            "POST", "/v1/tasks:batch", {"tasks": [one.to_json() for one in tasks]}, idempotent=_repeatable(tasks)
        )
        return [Scheduled(one["id"], one.get("duplicate", False)) for one in answer["tasks"]]

    def get(self, task_id: str, *, payload: bool = True) -> Task:
        return Task.of_json(self._call("GET", _task(task_id), query={"withoutPayload": None if payload else "true"}))

    def await_task(self, task_id: str, timeout: Duration | None = None) -> Task:
        """Waits until the task has ended, however: its state says how. Without a timeout for ever, otherwise
        StillRunningError after it."""
        until = None if timeout is None else time.monotonic() + seconds_of("timeout", timeout)
        while True:
            wait = _LONGEST_WAIT if until is None else min(_LONGEST_WAIT, max(0.0, until - time.monotonic()))
            answer = self._call(
                "GET", _task(task_id) + ":await", query={"wait": duration_text(wait)}, timeout=wait + self._timeout
            )
            if "task" in answer:
                return Task.of_json(answer["task"])
            if until is not None and time.monotonic() >= until:
                raise StillRunningError(f"task {task_id} has not ended")

    def result(self, task_id: str, timeout: Duration | None = None) -> TaskResult:
        """Waits for the task's success and returns its result, an empty one when there is none. TaskFailedError when it
        ends otherwise."""
        task = self.await_task(task_id, timeout)
        if task.state != TaskState.SUCCEEDED:
            raise TaskFailedError(task)
        return task.result or TaskResult(b"")

    def cancel(self, task_id: str) -> CancelOutcome:
        return CancelOutcome(self._call("POST", _task(task_id) + ":cancel").get("outcome", "UNKNOWN"))

    def reschedule(self, task_id: str, *, run_at: datetime | None = None, delay: Duration | None = None) -> Task:
        body = {
            "runAt": time_text("run_at", run_at),
            "delay": None if delay is None else duration_text(seconds_of("delay", delay)),
        }
        # A delay counts from the arrival of the call, so that a repeated call moves the time a little, as a later call
        # would.
        return Task.of_json(
            self._call("POST", _task(task_id) + ":reschedule", {k: v for k, v in body.items() if v is not None})
        )

    def list(
        self,
        *,
        handler: str | None = None,
        states: Sequence[TaskState | str] = (),
        key: str | None = None,
        collection: str | None = None,
        batch: str | None = None,
        schedule: str | None = None,
        not_before: datetime | None = None,
        before: datetime | None = None,
        page_size: int | None = None,
    ) -> Iterator[Task]:
        """Tasks without payloads, newest first; asks for a page when the one before has been read."""
        query = {
            "handler": handler,
            "states": [str(one) for one in states] or None,
            "key": key,
            "collection": collection,
            "batch": batch,
            "schedule": schedule,
            "notBefore": time_text("not_before", not_before),
            "before": time_text("before", before),
            "pageSize": page_size,
        }
        return (Task.of_json(one) for one in self._pages("/v1/tasks", query, "tasks"))

    def create_batch(self, handler: str, name: str | None = None) -> Batch:
        """Creates a batch, or answers the one of this name. Without a name a repeated call could make another, so it is
        not repeated."""
        body = {"handler": handler} | ({"name": name} if name else {})
        return Batch.of_json(self._call("POST", "/v1/batches", body, idempotent=bool(name))["batch"])

    def get_batch(self, batch_id: str) -> Batch:
        return Batch.of_json(self._call("GET", _batch(batch_id)))

    def list_batches(self, handler: str | None = None) -> Iterator[Batch]:
        return (Batch.of_json(one) for one in self._pages("/v1/batches", {"handler": handler}, "batches"))

    def close_batch(self, batch_id: str) -> Batch:
        """Lets no more tasks join."""
        return Batch.of_json(self._call("POST", _batch(batch_id) + ":close"))

    def cancel_batch(self, batch_id: str) -> int:
        """Closes the batch and cancels what has not ended of it; the number of tasks that were cancelled or whose
        workers are notified."""
        count = 0
        body: dict[str, Any] = {}
        while True:
            answer = self._call("POST", _batch(batch_id) + ":cancel", body)
            count += int(answer.get("count", 0))
            if not answer.get("more"):
                return count
            body = {"before": answer["nextBefore"]}

    def call(
        self, method: str, path: str, body: dict[str, Any] | None = None, *, idempotent: bool = False
    ) -> dict[str, Any]:
        """Any other call of the API, such as of schedules: JSON as docs/api.md describes it."""
        return self._call(method, path, body, idempotent=idempotent or method == "GET")

    def _pages(self, path: str, query: dict[str, Any], name: str) -> Iterator[dict[str, Any]]:
        while True:
            answer = self._call("GET", path, query=query)
            yield from answer.get(name, [])
            if not answer.get("nextPageToken"):
                return
            query = query | {"pageToken": answer["nextPageToken"]}

    def _call(
        self,
        method: str,
        path: str,
        body: dict[str, Any] | None = None,
        query: dict[str, Any] | None = None,
        idempotent: bool = True,
        timeout: float | None = None,
    ) -> dict[str, Any]:
        return self._wire.call(method, path, body, query, idempotent=idempotent, timeout=timeout or self._timeout)

    def close(self) -> None:
        self._wire.close()

    def __enter__(self) -> KairosClient:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


def _repeatable(tasks: Sequence[TaskRequest]) -> bool:
    return all(one.idempotency is not None and one.idempotency.outlives_the_task() for one in tasks)


def _task(task_id: str) -> str:
    return "/v1/tasks/" + urllib.parse.quote(task_id, safe="")


def _batch(batch_id: str) -> str:
    return "/v1/batches/" + urllib.parse.quote(batch_id, safe="")
