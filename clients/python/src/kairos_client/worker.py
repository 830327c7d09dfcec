"""Performs tasks: asks nodes for them, keeps their leases by heartbeats, and reports how they ended."""

from __future__ import annotations

import asyncio
import inspect
import json as _json
import logging
import os
import signal
import socket
import threading
import time
import traceback
import uuid
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime
from enum import StrEnum
from types import TracebackType
from typing import Any, Literal, TypeVar, overload

from .errors import (
    ApiError,
    Cancelled,
    FatalFailure,
    InvalidRequestError,
    KairosError,
    RetryLater,
    Snooze,
    TooLargeError,
)
from .model import (
    MOST_RESULT_BYTES,
    Duration,
    Json,
    Predecessor,
    TaskResult,
    base64_of,
    bytes_of,
    duration_text,
    seconds_from,
    seconds_of,
    time_of,
)
from .transport import Address, Credentials, Token, Transport, addresses_of

LOG = logging.getLogger("kairos_client")

T = TypeVar("T")
Handler = Callable[["TaskContext"], Any]
OnLostLease = Literal["abandon", "exit"]

#: That a handler has to stop in when its lease is lost, before another worker may begin the task.
_GRACE = 0.5
#: That the log has for the last line of a process that ends itself.
_LONGEST_LAST_WORDS = 0.1
_FAILURES_THAT_STOP = 3
_ANSWER_TIME = 5.0
_LEAVE_AGAIN = 0.5
_MOST_BYTES = 8 << 20
_MOST_PER_CALL = 1_000
_MOST_ERROR, _MOST_CLASS, _MOST_STACK, _MOST_NOTE = 2_000, 200, 8_000, 500
_LONGEST_DELAY = 365 * 86_400.0
#: Of a process that ended itself because of a lost lease.
EXIT_CODE = 70


class CancelReason(StrEnum):
    """Why an attempt is to end."""

    LEASE_LOST = "LEASE_LOST"
    CANCEL_REQUESTED = "CANCEL_REQUESTED"
    EXECUTION_TIMEOUT = "EXECUTION_TIMEOUT"
    SHUTDOWN = "SHUTDOWN"


class TaskContext:
    """The attempt that a handler performs. Used on any thread; its payload is in no repr."""

    def __init__(self, work: Mapping[str, Any], worker: str):
        self.id = str(work["id"])
        #: Grows with each claim. Store it with effects that must not be repeated.
        self.fence = int(work["fence"])
        self.handler: str = work.get("handler", "")
        #: From 1.
        self.attempt: int = work.get("attempt", 1)
        self.priority: int = work.get("priority", 0)
        self.run_at: datetime | None = time_of(work.get("runAt"))
        self.payload = bytes_of(work.get("payload"))
        self.key: str = work.get("key", "")
        self.collection: str = work.get("collection", "")
        self.fairness_key: str = work.get("fairnessKey", "")
        self.traceparent: str = work.get("traceparent", "")
        self.predecessors = [Predecessor.of_json(one) for one in work.get("predecessors", [])]
        self.more_predecessors: bool = work.get("morePredecessors", False)
        self.worker = worker
        self._cancelled = threading.Event()
        self._reason: CancelReason | None = None
        self._callbacks: list[Callable[[], None]] = []
        self._lock = threading.Lock()
        self._progress: dict[str, Any] | None = None
        self._noted: dict[str, Any] | None = None

    def __repr__(self) -> str:
        return f"TaskContext(id={self.id!r}, handler={self.handler!r}, attempt={self.attempt}, fence={self.fence})"

    def text(self) -> str:
        """The payload as text; the task fails for good when it is not UTF-8."""
        try:
            return self.payload.decode()
        except UnicodeDecodeError as e:
            raise FatalFailure(f"the payload is not UTF-8 at byte {e.start}", "UnicodeDecodeError") from None

    @overload
    def json(self) -> Json: ...
    @overload
    def json(self, decode: Callable[[Any], T]) -> T: ...
    def json(self, decode: Callable[[Any], Any] | None = None) -> Any:
        """The payload as JSON, passed through decode when it is given. The task fails for good when that is not
        possible, because no retry will help."""
        try:
            value = _json.loads(self.payload)
        except UnicodeDecodeError as e:
            raise FatalFailure(f"the payload is not UTF-8 at byte {e.start}", "UnicodeDecodeError") from None
        except (ValueError, RecursionError) as e:
            raise FatalFailure(f"the payload is not JSON: {e}", type(e).__name__) from None
        if decode is None:
            return value
        try:
            return decode(value)
        except (FatalFailure, RetryLater, Snooze, Cancelled):
            raise
        except Exception as e:  # each library has errors of its own
            raise FatalFailure(
                f"the payload is not what {getattr(decode, '__name__', decode)} takes: {type(e).__name__}: {e}",
                type(e).__name__,
            ) from e

    def progress(self, percent: int, note: str = "") -> None:
        """Is shown to operators; goes with the next heartbeat."""
        self._progress = {"percent": max(0, min(100, int(percent))), "note": _sendable(note, _MOST_NOTE)}

    @property
    def is_cancelled(self) -> bool:
        """True when the handler is to end soon. Its result does not count when the reason is LEASE_LOST: another worker
        may begin the task."""
        return self._cancelled.is_set()

    @property
    def cancel_reason(self) -> CancelReason | None:
        return self._reason

    def raise_if_cancelled(self) -> None:
        if self._cancelled.is_set():
            raise Cancelled(f"cancelled: {self._reason}")

    def sleep(self, seconds: float) -> None:
        """Sleeps, and raises Cancelled as soon as the handler is to end."""
        self._cancelled.wait(seconds)
        self.raise_if_cancelled()

    def on_cancel(self, action: Callable[[], None]) -> None:
        """Runs the action, on a thread of its own, when the handler is to end: to close what it waits for."""
        with self._lock:
            if self._reason is None:
                self._callbacks.append(action)
                return
        action()

    def _cancel(self, reason: CancelReason) -> None:
        """The first reason stays, but a lost lease overrides all others."""
        with self._lock:
            if self._reason is not None and reason != CancelReason.LEASE_LOST:
                return
            self._reason = reason
            actions, self._callbacks = self._callbacks, []
        self._cancelled.set()
        for action in actions:
            threading.Thread(target=action, name="kairos-cancel", daemon=True).start()


class _Attempt:
    """A task that is leased to this worker. Guarded by the worker's lock; phase is running, ended or lost."""

    def __init__(self, context: TaskContext, asked_at: float, lease: float, interval: float, timeout: float):
        self.context = context
        self.claimed_at = time.monotonic()
        #: Sending of the last request that a node acknowledged: the lease counts from there, because nobody can tell
        #: how old an answer is.
        self.extended_at = asked_at
        self.beat_at = asked_at
        self.lease, self.interval, self.timeout = lease, interval, timeout
        self.grace = min(_GRACE, lease / 4)
        self.failed_beats = 0
        self.phase = "running"

    def is_safe_at(self, now: float) -> bool:
        """False when a handler would have too little time to stop before the lease ends."""
        return now - self.extended_at < self.lease - self.grace - self.interval / 4

    @property
    def held_id(self) -> tuple[str, int]:
        return self.context.id, self.context.fence


class Worker:
    """Performs tasks on threads, as many at a time as concurrency says.

    Leases are kept by heartbeats on a thread and connections of their own. A lease is lost when a node says so, when
    three heartbeats in a row fail, or when it is about to run out. The handler is then cancelled, and its result is not
    sent. A handler that goes on is abandoned and keeps its place until it returns; with on_lost_lease="exit" the
    process ends at once instead, with code 70, before another worker may begin the task.
    """

    def __init__(
        self,
        *addresses: str,
        name: str | None = None,
        concurrency: int = 1,
        drain: Duration = 30.0,
        strict_priority: bool = False,
        on_lost_lease: OnLostLease = "abandon",
        token: Token | None = None,
        token_file: str | os.PathLike[str] | None = None,
        ca_file: str | os.PathLike[str] | None = None,
        certificate_file: str | os.PathLike[str] | None = None,
        key_file: str | os.PathLike[str] | None = None,
    ):
        """drain is how long tasks under way may go on after stop(). Addresses and credentials are as for KairosClient.
        The name must be one that no other worker has at the same time; it is made when it is left out."""
        if not 1 <= concurrency <= 1_000:
            raise ValueError(f"concurrency: must be 1 to 1000, not {concurrency}")
        if on_lost_lease not in ("abandon", "exit"):
            raise ValueError(f"on_lost_lease: must be 'abandon' or 'exit', not {on_lost_lease!r}")
        self._named, self._pid = name is not None, os.getpid()
        self.name = name or _new_name()
        credentials = Credentials(token, token_file, ca_file, certificate_file, key_file)
        self._wire = Transport(addresses_of(addresses), credentials)
        # Results and heartbeats count the failures of nodes by themselves, because they are urgent: a node that wants
        # no polls for a minute takes them.
        self._results = Transport(addresses_of(addresses), credentials)
        self._beats = Transport(addresses_of(addresses), credentials)
        self._handlers: dict[str, Handler] = {}
        self._concurrency = concurrency
        self._drain = seconds_of("drain", drain)
        self._strict = strict_priority
        self._on_lost_lease = on_lost_lease
        self._lock = threading.Condition()
        self._held: dict[tuple[str, int], _Attempt] = {}
        self._places = concurrency
        self._outbox: list[tuple[_Attempt, dict[str, Any]]] = []
        self._interval = 1.0
        self._wait = 1.0
        self._stopping = threading.Event()
        self._fetched = threading.Event()
        self._over = threading.Event()
        self._begun = False
        self._failure: BaseException | None = None

    @overload
    def handler(self, name: str) -> Callable[[Handler], Handler]: ...
    @overload
    def handler(self, name: str, perform: Handler) -> Handler: ...
    def handler(self, name: str, perform: Handler | None = None) -> Any:
        """Performs the tasks of this handler; as a decorator, or with the function. An async function runs in a loop of
        its own and is cancelled.

        It returns None for no result, bytes, str, a TaskResult, or what can be written as JSON; dataclasses too. It
        raises FatalFailure to fail for good, Snooze to put the task off, RetryLater for a delay of its own; any other
        exception is a failure that is retried.
        """

        def add(function: Handler) -> Handler:
            if self._begun:
                raise RuntimeError("add handlers before the worker starts")
            if name in self._handlers:
                raise ValueError(f"handler {name!r} is there already")
            if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
                raise TypeError(f"handler {name!r}: a function with yield is not performed: return what it makes")
            self._handlers[name] = function
            return function

        return add if perform is None else add(perform)

    def run(self) -> None:
        """Performs tasks until SIGTERM, SIGINT or stop(); then drains. Call it on the main thread of a program."""
        former = {}
        if threading.current_thread() is threading.main_thread():
            for one in (signal.SIGTERM, signal.SIGINT):
                former[one] = signal.signal(one, lambda *_: self.stop())
        try:
            self.start()
            while not self._over.wait(0.5):
                pass  # a wait without end would hold up signals
        finally:
            for number, handler in former.items():
                signal.signal(number, handler)
        self.join()

    def start(self) -> None:
        """Performs tasks on threads of its own."""
        if not self._handlers:
            raise RuntimeError("the worker has no handler: add one with handler()")
        if self._begun:
            raise RuntimeError("the worker was started before")
        if not self._named and self._pid != os.getpid():
            self.name = _new_name()  # each process that was forked has a worker of its own
        self._begun = True
        threading.Thread(target=self._keep_leases, name="kairos-heartbeats", daemon=True).start()
        threading.Thread(target=self._report, name="kairos-results", daemon=True).start()
        threading.Thread(target=self._fetch, name="kairos-fetch", daemon=True).start()

    def stop(self) -> None:
        """Claims no more tasks and begins to drain; returns at once."""
        if not self._stopping.is_set():
            self._stopping.set()
            threading.Thread(target=self._leave, name="kairos-leave", daemon=True).start()

    def join(self, timeout: float | None = None) -> bool:
        """Waits for the end of the drain. Raises what ended the worker, such as a handler name that breaks a rule."""
        over = self._over.wait(timeout)
        if self._failure is not None:
            raise self._failure
        return over

    def close(self) -> None:
        self.stop()
        if self._begun:
            self.join()

    def __enter__(self) -> Worker:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    # Asking for work.

    def _fetch(self) -> None:
        try:
            while not self._stopping.is_set():
                with self._lock:
                    self._lock.wait_for(lambda: self._room() > 0 or self._stopping.is_set(), 0.5)
                    places = self._room()
                if places > 0 and not self._stopping.is_set():
                    self._ask(places)
        except Exception as e:
            LOG.error("the worker ends: %s", e)
            self._failure = e
            self._stopping.set()
        finally:
            self._fetched.set()
            self._end()

    def _room(self) -> int:
        """Places that are free; none while results pile up because no node takes them."""
        return self._places if len(self._outbox) <= 2 * self._concurrency else 0

    def _ask(self, places: int) -> None:
        node, rest = self._wire.nodes.next()
        if rest > 0:
            self._stopping.wait(rest)
            return
        wait = self._wait
        asked_at = time.monotonic()
        body = {
            "worker": self.name,
            "handlers": list(self._handlers),
            "maxTasks": places,
            "maxBytes": str(_MOST_BYTES),
            "wait": duration_text(wait),
            "strictPriority": self._strict,
            "host": socket.gethostname()[:255],
            "version": _version(),
            "slots": self._concurrency,
        }
        try:
            answer = self._wire.once(node, "POST", "/v1/work:next", body, timeout=wait + _ANSWER_TIME)
            lease = seconds_from(answer.get("lease"))
            interval = seconds_from(answer.get("heartbeatInterval")) or lease / 4
            work = answer.get("work", []) if lease > 0 else []
            attempts = self._attempts(work, asked_at, lease, interval)
        except InvalidRequestError:
            raise
        except Exception as e:  # an answer that makes no sense, too
            self._failed(self._wire, node, e, "asking for work")
            return
        self._wire.nodes.works(node)
        if lease > 0:
            self._interval = interval
            # Short against the lease, which counts from the asking.
            self._wait = max(0.01, min(30.0, lease / 4))
        if not attempts and time.monotonic() - asked_at < wait / 4:
            self._wire.nodes.failed(node)  # it did not let the call wait, or gave nonsense: it is not called in a loop
        for attempt in attempts:
            self._claim(attempt)

    def _attempts(self, work: list[Any], asked_at: float, lease: float, interval: float) -> list[_Attempt]:
        """Those that can be read; the others are performed elsewhere after their leases."""
        attempts = []
        for one in work:
            try:
                attempts.append(self._attempt(one, asked_at, lease, interval))
            except Exception as e:
                LOG.warning("a task that makes no sense is not begun: %s: %s", type(e).__name__, e)
        return attempts

    def _attempt(self, work: Mapping[str, Any], asked_at: float, lease: float, interval: float) -> _Attempt:
        context = TaskContext(work, self.name)
        return _Attempt(context, asked_at, lease, interval, seconds_from(work.get("executionTimeout")))

    def _claim(self, attempt: _Attempt) -> None:
        """Begins the task, but gives it back when the answer came so late that the lease is about to end, as after a
        standstill of the process; a task whose lease has ended is another worker's."""
        context = attempt.context
        now = time.monotonic()
        begins = attempt.is_safe_at(now) and not self._stopping.is_set()
        if not begins and now - attempt.extended_at >= attempt.lease:
            LOG.warning("task %s of %s is not begun: its lease ended before it came", context.id, context.handler)
            return
        with self._lock:
            self._held[attempt.held_id] = attempt
            if not begins:
                attempt.phase = "ended"
                self._outbox.append((attempt, {"notBegun": {}}))
                self._lock.notify_all()
                return
            self._places -= 1
        thread = threading.Thread(target=self._perform, args=(attempt,), name=f"kairos-{context.handler}", daemon=True)
        try:
            thread.start()
        except RuntimeError as e:
            LOG.error("task %s of %s is not begun: %s", context.id, context.handler, e)
            self._ended(attempt, {"notBegun": {}})

    def _failed(self, wire: Transport, node: Address, error: Exception, doing: str) -> None:
        first = wire.nodes.failed(node, error if isinstance(error, KairosError) else None)
        LOG.log(logging.WARNING if first else logging.DEBUG, "%s failed, will be tried again: %s", doing, error)

    # Performing.

    def _perform(self, attempt: _Attempt) -> None:
        self._ended(attempt, self._outcome(attempt))

    def _ended(self, attempt: _Attempt, result: dict[str, Any]) -> None:
        with self._lock:
            if attempt.phase == "running" and time.monotonic() - attempt.extended_at < attempt.lease:
                attempt.phase = "ended"
                self._outbox.append((attempt, result))
            else:
                attempt.phase = "over"
                self._held.pop(attempt.held_id, None)
            self._places += 1
            self._lock.notify_all()

    def _outcome(self, attempt: _Attempt) -> dict[str, Any]:
        context = attempt.context
        try:
            function = self._handlers.get(context.handler)
            if function is None:
                raise RetryLater(f"this worker has no handler {context.handler!r}")
            value = function(context)
            if inspect.isawaitable(value):  # of an async function, however it is wrapped
                value = _run_async(value, context)
            if context.cancel_reason == CancelReason.EXECUTION_TIMEOUT:
                return _timed_out()
            return {"success": _success(value)}
        except BaseException as e:  # however a handler ends, sys.exit() too, its task is reported
            return _told(e, context.cancel_reason)

    # Reporting.

    def _report(self) -> None:
        """Sends what has ended, together, until a node has answered or the leases have run out; heartbeats keep them
        meanwhile."""
        while not self._over.is_set():
            with self._lock:
                self._lock.wait_for(lambda: bool(self._outbox) or self._over.is_set(), 0.5)
                batch: list[tuple[_Attempt, dict[str, Any]]] = []
                size = 0
                while self._outbox and len(batch) < _MOST_PER_CALL and size < _MOST_BYTES:
                    batch.append(self._outbox.pop(0))
                    size += len(batch[-1][1].get("success", {}).get("result", {}).get("value", ""))
            if batch:
                try:
                    self._send(batch)
                except Exception:
                    LOG.exception("%s results cannot be sent; their tasks begin again after their leases", len(batch))
                    self._settle(batch)

    def _send(self, batch: list[tuple[_Attempt, dict[str, Any]]]) -> None:
        results = [{"id": one.context.id, "fence": str(one.context.fence)} | result for one, result in batch]
        node, rest = self._results.nodes.next()
        # As long as the node asks for, but not so long that the leases run out.
        self._over.wait(min(rest, batch[0][0].lease / 4))
        try:
            answer = self._results.once(
                node, "POST", "/v1/work:result", {"worker": self.name, "results": results}, timeout=_ANSWER_TIME
            )
            self._results.nodes.works(node)
            for (one, _), its in zip(batch, answer.get("answers", [])):
                if not its.get("accepted"):
                    LOG.info("the result of task %s is refused: %s", one.context.id, its.get("reason", ""))
            self._settle(batch)
        except (InvalidRequestError, TooLargeError) as e:
            if len(batch) > 1:  # one of them
                for each in batch:
                    self._send([each])
            elif "success" in batch[0][1]:
                why = _sendable(f"performed, but its result is refused: {e}", _MOST_ERROR)
                self._send([(batch[0][0], {"fatal": {"error": why, "errorClass": "result refused"}})])
            else:
                LOG.error(
                    "a node refuses the outcome of task %s, which will be performed again: %s",
                    batch[0][0].context.id,
                    e,
                )
                self._settle(batch)
        except (KairosError, OSError) as e:
            self._failed(self._results, node, e, "reporting results")
            now = time.monotonic()
            self._settle([one for one in batch if now - one[0].extended_at >= one[0].lease])
            with self._lock:
                self._outbox[:0] = [one for one in batch if one[0].phase == "ended"]

    def _settle(self, batch: list[tuple[_Attempt, dict[str, Any]]]) -> None:
        with self._lock:
            for one, _ in batch:
                one.phase = "over"
                self._held.pop(one.held_id, None)
            self._lock.notify_all()

    # Leases.

    def _keep_leases(self) -> None:
        while not self._over.wait(max(0.005, min(0.125, self._interval / 8))):
            try:
                self._judge_leases(time.monotonic())
            except Exception:  # such as of a thread that cannot be started
                LOG.exception("the leases were not looked at, and will be again")

    def _judge_leases(self, now: float) -> None:
        with self._lock:
            held = list(self._held.values())
        for attempt in held:
            if attempt.phase == "running" and attempt.timeout and now - attempt.claimed_at >= attempt.timeout:
                attempt.context._cancel(CancelReason.EXECUTION_TIMEOUT)
        # So early that the handler's time to stop is over before the lease is.
        safe = [one for one in held if one.is_safe_at(now)]
        self._lose(
            [one for one in held if one.phase == "running" and not one.is_safe_at(now)],
            "its time was up without an acknowledged heartbeat",
        )
        due = [one for one in safe if now - one.beat_at >= one.interval * 7 / 8]
        for i in range(0, len(due), _MOST_PER_CALL):
            batch = due[i : i + _MOST_PER_CALL]
            for one in batch:
                one.beat_at = now
            # On a thread of its own: a node that does not answer must not hold up the judgement above.
            threading.Thread(target=self._beat, args=(batch,), name="kairos-heartbeat", daemon=True).start()

    def _beat(self, attempts: list[_Attempt]) -> None:
        sent_at = time.monotonic()
        held = []
        said = []
        for one in attempts:
            progress = one.context._progress
            said.append(progress)
            fresh = {"progress": progress} if progress is not None and progress is not one.context._noted else {}
            held.append({"id": one.context.id, "fence": str(one.context.fence)} | fresh)
        timeout = min(one.interval for one in attempts) * 4 / 5
        for last in [False] * (len(self._beats.nodes) - 1) + [True]:
            node, _ = self._beats.nodes.next()
            left = timeout - (time.monotonic() - sent_at)
            try:
                answer = self._beats.once(
                    node, "POST", "/v1/work:heartbeat", {"worker": self.name, "held": held}, timeout=max(0.05, left)
                )
                self._beats.nodes.works(node)
                self._acknowledged(attempts, said, answer.get("answers", []), sent_at)
                return
            except Exception as e:  # an answer that makes no sense, too
                self._failed(self._beats, node, e, "a heartbeat")
                if last or time.monotonic() - sent_at >= timeout or (isinstance(e, ApiError) and e.status < 429):
                    break
        lost = []
        for one in attempts:
            one.failed_beats += 1
            if one.failed_beats >= _FAILURES_THAT_STOP and one.phase == "running":
                lost.append(one)
        self._lose(lost, "three heartbeats in a row failed")

    def _acknowledged(
        self,
        attempts: list[_Attempt],
        said: list[dict[str, Any] | None],
        answers: list[Mapping[str, Any]],
        sent_at: float,
    ) -> None:
        lost, why = [], ""
        for one, progress, answer in zip(attempts, said, answers):
            verdict = answer.get("verdict")
            if verdict == "LOST":
                if one.phase == "running":  # otherwise its result has just arrived, or will be refused
                    lost.append(one)
                    why = why or answer.get("reason", "")
            elif verdict in ("EXTENDED", "CANCEL_REQUESTED"):
                one.failed_beats = 0
                one.extended_at = max(one.extended_at, sent_at)
                one.context._noted = progress
                if verdict == "CANCEL_REQUESTED":
                    one.context._cancel(CancelReason.CANCEL_REQUESTED)
        self._lose(lost, why or "a node said that another worker holds the task, or none")

    def _lose(self, attempts: list[_Attempt], why: str) -> None:
        lost = []
        with self._lock:
            for one in attempts:
                if one.phase == "running":
                    one.phase = "lost"
                    self._held.pop(one.held_id, None)
                    lost.append(one)
        for one in lost:
            one.context._cancel(CancelReason.LEASE_LOST)
            LOG.warning(
                "the lease of task %s of %s is lost, its handler is cancelled and its result not sent: %s",
                one.context.id,
                one.context.handler,
                why,
            )
            timer = threading.Timer(one.grace, self._judge, (one,))
            timer.daemon = True
            timer.start()

    def _judge(self, attempt: _Attempt) -> None:
        if attempt.phase != "lost":
            return
        if self._on_lost_lease == "exit":
            try:
                # First of all: a log that hangs must not keep the process beyond the lease.
                exit_anyway = threading.Timer(_LONGEST_LAST_WORDS, os._exit, (EXIT_CODE,))
                exit_anyway.daemon = True
                exit_anyway.start()
                LOG.error(
                    "the process ends: handler %s goes on with task %s although its lease is lost",
                    attempt.context.handler,
                    attempt.context.id,
                )
                logging.shutdown()
            finally:
                os._exit(EXIT_CODE)
        LOG.warning(
            "handler %s goes on with task %s without its lease; it keeps its place until it returns, "
            "and another worker may begin the task",
            attempt.context.handler,
            attempt.context.id,
        )

    # Ending.

    def _leave(self) -> None:
        """Nodes answer the call that waits for work at once. Again and again, as that call may reach its node after this
        one."""
        while True:
            for node in self._wire.addresses:
                try:
                    self._wire.once(node, "POST", "/v1/work:leave", {"worker": self.name}, timeout=_ANSWER_TIME)
                except (KairosError, OSError) as e:
                    LOG.debug("leaving %s failed: %s", node, e)
            if not self._begun or self._fetched.wait(_LEAVE_AGAIN):
                return

    def _end(self) -> None:
        """On the thread that asked for work, which asks no more: lets tasks under way end, then cancels them. What goes
        on even then keeps its lease until that lapses, and its result is not sent."""

        def done() -> bool:
            return not self._held and self._places == self._concurrency

        with self._lock:
            self._lock.wait_for(done, self._drain)
            left = list(self._held.values())
        for one in left:
            one.context._cancel(CancelReason.SHUTDOWN)
        with self._lock:
            if not self._lock.wait_for(done, 2.0):
                for one in self._held.values():
                    LOG.warning(
                        "handler %s does not end; task %s begins elsewhere when its lease has lapsed",
                        one.context.handler,
                        one.context.id,
                    )
        self._over.set()
        for wire in (self._wire, self._results, self._beats):
            wire.close()


def _run_async(work: Awaitable[Any], context: TaskContext) -> Any:
    async def main() -> Any:
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        assert task is not None

        def cancel() -> None:
            try:
                loop.call_soon_threadsafe(task.cancel)
            except RuntimeError:
                pass  # the loop has ended meanwhile

        context.on_cancel(cancel)
        return await work

    return asyncio.run(main())


def _success(value: Any) -> dict[str, Any]:
    if value is None:
        return {}
    if isinstance(value, TaskResult):
        result = value
    elif isinstance(value, (bytes, bytearray, memoryview)):
        result = TaskResult(bytes(value), "application/octet-stream")
    elif isinstance(value, str):
        result = TaskResult(value.encode("utf-8", "replace"), "text/plain; charset=utf-8")
    else:
        try:
            result = TaskResult.of_json(value)
        except TypeError as e:
            raise FatalFailure(f"performed, but its {e}", "result not JSON") from None
    if len(result.value) > MOST_RESULT_BYTES:
        raise FatalFailure(
            f"performed, but its result has {len(result.value):,} bytes: keep it elsewhere, and return where; "
            f"at most {MOST_RESULT_BYTES:,} are kept",
            "result too large",
        )
    return {"result": {"value": base64_of(result.value), "contentType": result.content_type}}


def _told(error: BaseException, reason: CancelReason | None) -> dict[str, Any]:
    """How an attempt has ended by this exception, whatever the exception is like: its text may fail, and its delay may
    be none."""
    try:
        return _failure(error, reason)
    except Exception as e:
        kind = type(error).__name__
        why = str(e) if isinstance(e, (TypeError, ValueError)) and isinstance(error, (RetryLater, Snooze)) else ""
        failure = {
            "error": _sendable(f"{kind}, of which no more can be said: {why or type(e).__name__}", _MOST_ERROR),
            "errorClass": _sendable(kind, _MOST_CLASS),
        }
        return {"fatal": failure} if isinstance(error, FatalFailure) else {"retryLater": failure}


def _failure(error: BaseException, reason: CancelReason | None) -> dict[str, Any]:
    if reason == CancelReason.EXECUTION_TIMEOUT:
        return _timed_out()
    if isinstance(error, (Cancelled, asyncio.CancelledError)):
        if reason == CancelReason.CANCEL_REQUESTED:
            return {"cancelled": {}}
        if reason == CancelReason.SHUTDOWN:
            return {"retryLater": {"error": "the worker was stopped", "errorClass": "Cancelled", "delay": "0s"}}
    if isinstance(error, Snooze):
        return {"snoozed": {"delay": _delay(error.delay)}}
    cause = error.__cause__
    ours = isinstance(error, (FatalFailure, RetryLater))
    given = error.error_class if isinstance(error, (FatalFailure, RetryLater)) else ""
    kind = type(cause if ours and cause is not None else error)
    failure = {
        "error": _sendable(
            str(error) if ours else f"{kind.__name__}: {error}" if str(error) else kind.__name__, _MOST_ERROR
        ),
        "errorClass": _sendable(
            given or (kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"),
            _MOST_CLASS,
        ),
        # The end, where it was raised: Python's traces have the most recent call last.
        "stack": _sendable("".join(traceback.format_exception(error, limit=-25))[-_MOST_STACK:], _MOST_STACK),
    }
    if isinstance(error, FatalFailure):
        return {"fatal": failure}
    if isinstance(error, RetryLater) and error.delay is not None:
        failure["delay"] = _delay(error.delay)
    return {"retryLater": failure}


def _timed_out() -> dict[str, Any]:
    return {"retryLater": {"error": "execution timeout", "errorClass": "execution timeout"}}


def _delay(seconds: Duration) -> str:
    return duration_text(max(0.0, min(_LONGEST_DELAY, seconds_of("delay", seconds))))


def _sendable(text: str, most: int) -> str:
    """As much as is kept, of characters that can be sent: the names of files may have others."""
    return text.encode("utf-8", "replace").decode()[:most]


def _new_name() -> str:
    return f"{socket.gethostname()[:80]}-{os.getpid()}-{uuid.uuid4().hex[:8]}"


def _version() -> str:
    from . import __version__

    return f"kairos-client-python {__version__}"
