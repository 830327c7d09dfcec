"""What a call may end with."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

_PROBLEM = "urn:problem-type:kairos:"


class KairosError(Exception):
    """The root of all errors of this package but those of arguments, which are ValueError and TypeError."""

    #: Seconds after which the node asks to be called again; None for nothing.
    retry_after: float | None = None


class NodesUnavailableError(KairosError):
    """No node was reached, or none answered in time."""

    def __init__(self, message: str, may_have_taken_effect: bool, retry_after: float | None = None):
        super().__init__(message)
        self.retry_after = retry_after
        #: True when the call may have been carried out although nobody answered.
        self.may_have_taken_effect = may_have_taken_effect


class TokenError(KairosError, ValueError):
    """The token cannot be sent, or what gives it has failed. The token is never in the text."""


class ApiError(KairosError):
    """A node has refused a call: a problem of RFC 9457, with the members that docs/problems.md lists."""

    def __init__(self, status: int, problem: dict[str, Any], retry_after: float | None = None):
        self.status = status
        #: URI of the kind of problem, such as urn:problem-type:kairos:not-found.
        self.type = str(problem.get("type", "about:blank"))
        #: Code of gRPC, such as NOT_FOUND.
        self.code = str(problem.get("code", "UNKNOWN"))
        self.title = str(problem.get("title", ""))
        #: What is wrong with this call.
        self.detail = str(problem.get("detail", ""))
        #: The field that breaks a rule; empty for none.
        self.field = str(problem.get("field", ""))
        #: True when nothing was done and the same call may succeed later.
        self.nothing_done = problem.get("reason") == "NOTHING_DONE"
        #: All members of the problem.
        self.problem = problem
        self.retry_after = retry_after
        super().__init__(self.detail or self.title or f"HTTP {status}")


class InvalidRequestError(ApiError):
    """A field breaks a rule: see field and detail."""


class UnauthenticatedError(ApiError):
    """The token is missing, unknown or expired."""


class PermissionDeniedError(ApiError):
    """The caller does not have the role, or may not use the name."""


class NotFoundError(ApiError):
    """There is no such object, or its history has been pruned."""


class ConflictError(ApiError):
    """The object's state does not allow the call, or another change came first."""


class IdempotencyKeyTakenError(ConflictError):
    """Another task has the idempotency key."""

    @property
    def task(self) -> str:
        """Id of that task."""
        return str(self.problem.get("task", ""))


class TooLargeError(ApiError):
    """The request is too large."""


class ExhaustedError(ApiError):
    """A bound is reached, such as a quota: see retry_after and detail."""


class UnavailableError(ApiError):
    """The node or its store is away. Unless nothing_done, the call may have taken effect."""


_KINDS: dict[str, type[ApiError]] = {
    "invalid-request": InvalidRequestError,
    "malformed-request": InvalidRequestError,
    "wrong-state": ConflictError,
    "already-exists": ConflictError,
    "idempotency-key-taken": IdempotencyKeyTakenError,
    "conflict": ConflictError,
    "stale-etag": ConflictError,
    "unauthenticated": UnauthenticatedError,
    "permission-denied": PermissionDeniedError,
    "not-found": NotFoundError,
    "request-too-large": TooLargeError,
    "exhausted": ExhaustedError,
    "unavailable": UnavailableError,
    "timeout": UnavailableError,
}

_STATUSES: dict[int, type[ApiError]] = {
    400: InvalidRequestError,
    401: UnauthenticatedError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    412: ConflictError,
    413: TooLargeError,
    429: ExhaustedError,
    502: UnavailableError,
    503: UnavailableError,
    504: UnavailableError,
}


def api_error(status: int, problem: dict[str, Any], retry_after: float | None) -> ApiError:
    """The error for an answer: by the problem's type, and by the status for a type that is new."""
    kind = _KINDS.get(str(problem.get("type", "")).removeprefix(_PROBLEM)) or _STATUSES.get(status, ApiError)
    return kind(status, problem, retry_after)


class StillRunningError(KairosError, TimeoutError):
    """A task has not ended within the time for which it was awaited."""


class TaskFailedError(KairosError):
    """A task has ended without success: see task."""

    def __init__(self, task: Any):
        last = task.failures[-1].error if task.failures else ""
        super().__init__(f"task {task.id} of {task.handler} ended as {task.state}" + (f": {last}" if last else ""))
        self.task = task


# By which a handler says what is to become of its task.


class FatalFailure(Exception):
    """Raised by a handler: the task fails for good, because no retry will help."""

    def __init__(self, message: str, error_class: str = ""):
        super().__init__(message)
        self.error_class = error_class


class RetryLater(Exception):
    """Raised by a handler: the attempt failed, and the next one begins after the delay, or by the retry policy."""

    def __init__(self, message: str, delay: float | timedelta | None = None, error_class: str = ""):
        super().__init__(message)
        self.delay = delay
        self.error_class = error_class


class Snooze(Exception):
    """Raised by a handler: the task is put off by the delay, which is no failure and counts no attempt."""

    def __init__(self, delay: float | timedelta):
        super().__init__(f"put off by {delay}" if isinstance(delay, timedelta) else f"put off by {delay} s")
        self.delay = delay


class Cancelled(Exception):
    """Raised by TaskContext.raise_if_cancelled and TaskContext.sleep when the attempt is to end."""
