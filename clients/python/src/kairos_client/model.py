"""What is sent to nodes and answered by them. Payloads and values are in no repr, so that they are in no log."""

from __future__ import annotations

import base64
import json as _json
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, is_dataclass, asdict
from datetime import datetime, timedelta, timezone
from enum import StrEnum
from typing import Any, TypeVar, overload

T = TypeVar("T")

#: Seconds, or a timedelta.
Duration = float | timedelta
#: What JSON can say: None, bool, int, float, str, and lists and dicts of these.
Json = Any
#: Of a task's result.
MOST_RESULT_BYTES = 262_144

_GIVEN_NOT = object()


class _Open(StrEnum):
    """A name that this version does not know is UNKNOWN."""

    @classmethod
    def _missing_(cls, value: object) -> Any:
        return cls.__members__.get("UNKNOWN")


class TaskState(_Open):
    NEW = "NEW"
    ENQUEUED = "ENQUEUED"
    PROCESSING = "PROCESSING"
    RETRIABLE_FAILURE = "RETRIABLE_FAILURE"
    SUCCEEDED = "SUCCEEDED"
    FAILED = "FAILED"
    CANCELLED = "CANCELLED"
    DEAD = "DEAD"
    BLOCKED = "BLOCKED"
    PAUSED = "PAUSED"
    AWAITING = "AWAITING"
    UNKNOWN = "UNKNOWN"

    @property
    def has_ended(self) -> bool:
        return self in (TaskState.SUCCEEDED, TaskState.FAILED, TaskState.CANCELLED, TaskState.DEAD)


class CancelOutcome(_Open):
    CANCELLED = "CANCELLED"
    REQUESTED = "REQUESTED"
    TOO_LATE = "TOO_LATE"
    UNKNOWN = "UNKNOWN"


class Window(StrEnum):
    """For how long an idempotency key stands for the first task."""

    WHILE_UNFINISHED = "WHILE_UNFINISHED"
    WHILE_WAITING = "WHILE_WAITING"
    FOREVER = "FOREVER"


class OnConflict(StrEnum):
    KEEP = "KEEP"
    REPLACE = "REPLACE"
    ERROR = "ERROR"


class PeriodUnit(StrEnum):
    MINUTE = "MINUTE"
    HOUR = "HOUR"
    DAY = "DAY"
    WEEK = "WEEK"
    MONTH = "MONTH"


class OnFailure(StrEnum):
    """What becomes of a task whose predecessor ends without success."""

    FAIL = "FAIL"
    BLOCK = "BLOCK"
    CONTINUE = "CONTINUE"


@dataclass(frozen=True)
class RetryPolicy:
    """When a failed attempt is retried. What is left out comes from the handler's policy."""

    max_attempts: int | None = None
    initial_backoff: Duration | None = None
    factor: float | None = None
    max_backoff: Duration | None = None

    def to_json(self) -> dict[str, Any]:
        return _given(
            maxAttempts=self.max_attempts,
            initialBackoff=_duration("initial_backoff", self.initial_backoff),
            factor=self.factor,
            maxBackoff=_duration("max_backoff", self.max_backoff),
        )


@dataclass(frozen=True)
class Period:
    unit: PeriodUnit = PeriodUnit.DAY
    time_zone: str = ""


@dataclass(frozen=True)
class Idempotency:
    """Makes tasks of one handler with the same key one task. At most one of window, duration and period."""

    key: str
    window: Window | None = None
    duration: Duration | None = None
    period: Period | None = None
    on_conflict: OnConflict | None = None
    max_wait: Duration | None = None

    @staticmethod
    def of_call() -> Idempotency:
        """A new key for one call, so that the client may repeat it when its answer is lost. It stands for an hour."""
        return Idempotency(str(uuid.uuid4()), duration=3600)

    def to_json(self) -> dict[str, Any]:
        period = self.period and _given(unit=self.period.unit, timeZone=self.period.time_zone or None)
        return _given(
            key=self.key,
            window=self.window,
            duration=_duration("idempotency.duration", self.duration),
            period=period,
            onConflict=self.on_conflict,
            maxWait=_duration("idempotency.max_wait", self.max_wait),
        )

    def outlives_the_task(self) -> bool:
        """True when a repeated call finds the first task and answers it, even when that one has ended. The key of a
        period may end between the two calls."""
        outlives = self.window == Window.FOREVER or self.duration is not None
        return outlives and self.on_conflict in (None, OnConflict.KEEP)


@dataclass(frozen=True)
class After:
    """A predecessor: exactly one of the id of a task, the index of a task of the same call, and the id of a batch."""

    task: str | None = None
    index: int | None = None
    batch: str | None = None
    on_failure: OnFailure | None = None

    def to_json(self) -> dict[str, Any]:
        return _given(id=self.task, index=self.index, batch=self.batch, onFailure=self.on_failure)


@dataclass(frozen=True)
class PoolTarget:
    """A pool of HTTP endpoints as destination instead of a handler."""

    name: str
    method: str | None = None
    path: str | None = None
    headers: Sequence[tuple[str, str]] = ()
    routing_key: str | None = None

    def to_json(self) -> dict[str, Any]:
        headers = [{"name": name, "value": value} for name, value in self.headers]
        return _given(
            name=self.name, method=self.method, path=self.path, headers=headers or None, routingKey=self.routing_key
        )


@dataclass(frozen=True)
class TopicTarget:
    """A Kafka topic as destination instead of a handler."""

    name: str
    key: bytes | None = None
    headers: Sequence[tuple[str, bytes]] = ()

    def to_json(self) -> dict[str, Any]:
        headers = [{"name": name, "value": base64_of(value)} for name, value in self.headers]
        return _given(name=self.name, key=None if self.key is None else base64_of(self.key), headers=headers or None)


@dataclass(frozen=True)
class TaskRequest:
    """A task to schedule: handler, at most one of payload (bytes), text and json, and options as docs/api.md describes
    them.

    Durations are seconds or timedeltas, times are datetimes with a time zone. Exactly one of handler, pool and topic is
    given.
    """

    handler: str = ""
    payload: bytes | None = field(default=None, repr=False)
    text: str | None = field(default=None, repr=False)
    json: Json = field(default=_GIVEN_NOT, repr=False)
    run_at: datetime | None = None
    delay: Duration | None = None
    priority: int | None = None
    key: str | None = None
    collection: str | None = None
    fairness_key: str | None = None
    fairness_weight: int | None = None
    limits: Sequence[str] = ()
    retry_policy: RetryPolicy | None = None
    execution_timeout: Duration | None = None
    start_deadline: datetime | None = None
    reject_beyond: Duration | None = None
    idempotency: Idempotency | None = None
    after: Sequence[After] = ()
    batch: str | None = None
    traceparent: str | None = None
    pool: PoolTarget | None = None
    topic: TopicTarget | None = None

    def __post_init__(self) -> None:
        if sum(1 for one in (self.handler or None, self.pool, self.topic) if one is not None) != 1:
            raise ValueError("TaskRequest: give exactly one of handler, pool and topic")
        if (self.payload is not None) + (self.text is not None) + (self.json is not _GIVEN_NOT) > 1:
            raise ValueError("TaskRequest: give at most one of payload, text and json")
        if self.payload is not None and not isinstance(self.payload, (bytes, bytearray, memoryview)):
            raise TypeError(f"payload: must be bytes, not {type(self.payload).__name__}; text= and json= take others")

    def to_json(self) -> dict[str, Any]:
        payload = self.payload
        if self.text is not None:
            payload = self.text.encode()
        elif self.json is not _GIVEN_NOT:
            payload = json_bytes(self.json, "json")
        return _given(
            handler=self.handler or None,
            payload=None if payload is None else base64_of(payload),
            runAt=_time("run_at", self.run_at),
            delay=_duration("delay", self.delay),
            priority=self.priority,
            key=self.key,
            collection=self.collection,
            fairnessKey=self.fairness_key,
            fairnessWeight=self.fairness_weight,
            limits=list(self.limits) or None,
            retryPolicy=self.retry_policy and self.retry_policy.to_json(),
            executionTimeout=_duration("execution_timeout", self.execution_timeout),
            startDeadline=_time("start_deadline", self.start_deadline),
            rejectBeyond=_duration("reject_beyond", self.reject_beyond),
            idempotency=self.idempotency and self.idempotency.to_json(),
            after=[one.to_json() for one in self.after] or None,
            batch=self.batch,
            traceparent=self.traceparent,
            pool=self.pool and self.pool.to_json(),
            topic=self.topic and self.topic.to_json(),
        )


@dataclass(frozen=True)
class Scheduled:
    """The answer to a schedule call. duplicate is True when the task was there already, by its idempotency key."""

    id: str
    duplicate: bool


@dataclass(frozen=True)
class TaskResult:
    """What a successful attempt has left, or what a handler returns: bytes with a media type."""

    value: bytes = field(repr=False)
    content_type: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.value, (bytes, bytearray, memoryview)):
            raise TypeError(f"TaskResult: value must be bytes, not {type(self.value).__name__}")
        if not isinstance(self.content_type, str):
            raise TypeError(f"TaskResult: content_type must be a str, not {type(self.content_type).__name__}")

    @staticmethod
    def of_json(value: Json) -> TaskResult:
        return TaskResult(json_bytes(value, "result"), "application/json")

    def text(self) -> str:
        return self.value.decode()

    @overload
    def json(self) -> Json: ...
    @overload
    def json(self, decode: Callable[[Any], T]) -> T: ...
    def json(self, decode: Callable[[Any], Any] | None = None) -> Any:
        """The value as JSON, passed through decode when it is given, such as lambda fields: Order(**fields)."""
        value = _json.loads(self.value)
        return value if decode is None else decode(value)


@dataclass(frozen=True)
class Failure:
    """The failure of one attempt."""

    attempt: int
    at: datetime | None
    error: str
    error_class: str
    stack: str
    outcome: str


@dataclass(frozen=True)
class Progress:
    percent: int
    note: str
    at: datetime | None = None


@dataclass(frozen=True)
class Task:
    """A task as a node shows it. fields has all that was answered, also what this version does not know."""

    id: str
    handler: str
    state: TaskState
    priority: int
    attempt: int
    run_at: datetime | None
    created_at: datetime | None
    finished_at: datetime | None
    key: str
    collection: str
    fairness_key: str
    batch: str
    holder: str
    cancel_requested: bool
    failures: list[Failure]
    result: TaskResult | None
    progress: Progress | None
    payload: bytes = field(repr=False)
    fields: Mapping[str, Any] = field(repr=False)

    @staticmethod
    def of_json(answer: Mapping[str, Any]) -> Task:
        result, progress = answer.get("resultValue"), answer.get("progress")
        return Task(
            id=answer.get("id", ""),
            handler=answer.get("handler", ""),
            state=TaskState(answer.get("state", "UNKNOWN")),
            priority=answer.get("priority", 0),
            attempt=answer.get("attempt", 0),
            run_at=time_of(answer.get("runAt")),
            created_at=time_of(answer.get("createdAt")),
            finished_at=time_of(answer.get("finishedAt")),
            key=answer.get("key", ""),
            collection=answer.get("collection", ""),
            fairness_key=answer.get("fairnessKey", ""),
            batch=answer.get("batch", ""),
            holder=answer.get("holder", ""),
            cancel_requested=answer.get("cancelRequested", False),
            failures=[
                Failure(
                    attempt=one.get("attempt", 0),
                    at=time_of(one.get("at")),
                    error=one.get("error", ""),
                    error_class=one.get("errorClass", ""),
                    stack=one.get("stack", ""),
                    outcome=one.get("outcome", ""),
                )
                for one in answer.get("failures", [])
            ],
            result=None if result is None else result_of(result),
            progress=None
            if progress is None
            else Progress(progress.get("percent", 0), progress.get("note", ""), time_of(progress.get("at"))),
            payload=bytes_of(answer.get("payload")),
            fields=answer,
        )


@dataclass(frozen=True)
class Batch:
    """Tasks of one handler that are counted, waited for and cancelled together. state is None before it has ended."""

    id: str
    handler: str
    name: str
    state: TaskState | None
    total: int
    unfinished: int
    succeeded: int
    failed: int
    dead: int
    cancelled: int
    percent: int
    closed_at: datetime | None
    completed_at: datetime | None
    fields: Mapping[str, Any] = field(repr=False)

    @staticmethod
    def of_json(answer: Mapping[str, Any]) -> Batch:
        counts = answer.get("counts", {})
        state = answer.get("state", "STATE_UNSPECIFIED")
        return Batch(
            id=answer.get("id", ""),
            handler=answer.get("handler", ""),
            name=answer.get("name", ""),
            state=None if state == "STATE_UNSPECIFIED" else TaskState(state),
            total=counts.get("total", 0),
            unfinished=counts.get("unfinished", 0),
            succeeded=counts.get("succeeded", 0),
            failed=counts.get("failed", 0),
            dead=counts.get("dead", 0),
            cancelled=counts.get("cancelled", 0),
            percent=answer.get("percent", 0),
            closed_at=time_of(answer.get("closedAt")),
            completed_at=time_of(answer.get("completedAt")),
            fields=answer,
        )


@dataclass(frozen=True)
class Predecessor:
    """A task or batch that a task has waited for. result is None for none, and when it had no room (result_bytes says
    so)."""

    id: str
    handler: str
    state: TaskState
    is_batch: bool
    result: TaskResult | None
    result_bytes: int

    @staticmethod
    def of_json(answer: Mapping[str, Any]) -> Predecessor:
        result = answer.get("result")
        return Predecessor(
            id=answer.get("id", ""),
            handler=answer.get("handler", ""),
            state=TaskState(answer.get("state", "UNKNOWN")),
            is_batch=answer.get("batch", False),
            result=None if result is None else result_of(result),
            result_bytes=int(answer.get("resultBytes", 0)),
        )


def result_of(answer: Mapping[str, Any]) -> TaskResult:
    return TaskResult(bytes_of(answer.get("value")), answer.get("contentType", ""))


def json_bytes(value: Any, name: str) -> bytes:
    """Dataclasses as objects."""
    try:
        return _json.dumps(value, separators=(",", ":"), ensure_ascii=False, allow_nan=False, default=_plain).encode()
    except (TypeError, ValueError, RecursionError) as e:
        raise TypeError(f"{name}: {type(value).__name__} cannot be written as JSON: {_safe(e)}") from None


def _plain(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    raise TypeError(f"{type(value).__name__} is no JSON")


def _safe(error: Exception) -> str:
    """The text of an error of json, but for one that quotes the value."""
    return type(error).__name__ if isinstance(error, UnicodeError) else str(error)


def bytes_of(text: str | None) -> bytes:
    return base64.b64decode(text) if text else b""


def base64_of(value: bytes) -> str:
    return base64.b64encode(value).decode()


def _given(**fields: Any) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def seconds_of(name: str, value: Duration) -> float:
    if isinstance(value, timedelta):
        return value.total_seconds()
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"{name}: must be seconds or a timedelta, not {type(value).__name__}")
    if value != value:
        raise ValueError(f"{name}: must be seconds or a timedelta, not NaN")
    return value


def _duration(name: str, value: Duration | None) -> str | None:
    return None if value is None else duration_text(seconds_of(name, value))


def duration_text(seconds: float) -> str:
    text = f"{seconds:.9f}".rstrip("0").rstrip(".")
    return (text or "0") + "s"


def seconds_from(text: str | None) -> float:
    return float(text.removesuffix("s")) if text else 0.0


def _time(name: str, value: datetime | None) -> str | None:
    if value is None:
        return None
    if not isinstance(value, datetime) or value.tzinfo is None:
        raise ValueError(f"{name}: must be a datetime with a time zone, such as datetime.now(timezone.utc)")
    return value.astimezone(timezone.utc).isoformat().replace("+00:00", "Z")


def time_text(name: str, value: datetime | None) -> str | None:
    return _time(name, value)


def time_of(text: str | None) -> datetime | None:
    """RFC 3339; digits beyond microseconds are cut off."""
    if not text:
        return None
    whole, point, rest = text.partition(".")
    if point:
        digits = rest.rstrip("Zz")
        text = f"{whole}.{digits[:6]}Z"
    return datetime.fromisoformat(text)
