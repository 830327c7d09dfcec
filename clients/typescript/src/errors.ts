/** The root of all errors of this package but those of arguments, which are TypeError and RangeError. */
export class KairosError extends Error {
  /** Milliseconds after which the node asks to be called again; undefined for nothing. */
  readonly retryAfter: number | undefined = undefined;

  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** No node was reached, or none answered in time. */
export class NodesUnavailableError extends KairosError {
  override readonly retryAfter: number | undefined;

  constructor(
    message: string,
    /** True when the call may have been carried out although nobody answered. */
    readonly mayHaveTakenEffect: boolean,
    options?: { cause?: unknown; retryAfter?: number },
  ) {
    super(message, options);
    this.retryAfter = options?.retryAfter;
  }
}

/** A node has refused a call: a problem of RFC 9457, with the members that docs/problems.md lists. */
export class ApiError extends KairosError {
  /** URI of the kind of problem, such as urn:problem-type:kairos:not-found. */
  readonly type: string;
  /** Code of gRPC, such as NOT_FOUND. */
  readonly code: string;
  /** What is wrong with this call. */
  readonly detail: string;
  /** The field that breaks a rule; empty for none. */
  readonly field: string;
  /** True when nothing was done and the same call may succeed later. */
  readonly nothingDone: boolean;
  override readonly retryAfter: number | undefined;

  constructor(
    readonly status: number,
    /** All members of the problem. */
    readonly problem: Readonly<Record<string, unknown>>,
    retryAfter?: number,
  ) {
    super(String(problem["detail"] ?? problem["title"] ?? `HTTP ${status}`));
    this.type = String(problem["type"] ?? "about:blank");
    this.code = String(problem["code"] ?? "UNKNOWN");
    this.detail = String(problem["detail"] ?? "");
    this.field = String(problem["field"] ?? "");
    this.nothingDone = problem["reason"] === "NOTHING_DONE";
    this.retryAfter = retryAfter;
  }
}

/** A field breaks a rule: see field and detail. */
export class InvalidRequestError extends ApiError {}
/** The token is missing, unknown or expired. */
export class UnauthenticatedError extends ApiError {}
/** The caller does not have the role, or may not use the name. */
export class PermissionDeniedError extends ApiError {}
/** There is no such object, or its history has been pruned. */
export class NotFoundError extends ApiError {}
/** The object's state does not allow the call, or another change came first. */
export class ConflictError extends ApiError {}
/** Another task has the idempotency key. */
export class IdempotencyKeyTakenError extends ConflictError {
  /** Id of that task. */
  get task(): string {
    return String(this.problem["task"] ?? "");
  }
}
/** The request is too large. */
export class TooLargeError extends ApiError {}
/** A bound is reached, such as a quota: see retryAfter and detail. */
export class ExhaustedError extends ApiError {}
/** The node or its store is away. Unless nothingDone, the call may have taken effect. */
export class UnavailableError extends ApiError {}

type Kind = new (status: number, problem: Record<string, unknown>, retryAfter?: number) => ApiError;

const KINDS: Record<string, Kind> = {
  "invalid-request": InvalidRequestError,
  "malformed-request": InvalidRequestError,
  "wrong-state": ConflictError,
  "already-exists": ConflictError,
  "idempotency-key-taken": IdempotencyKeyTakenError,
  conflict: ConflictError,
  "stale-etag": ConflictError,
  unauthenticated: UnauthenticatedError,
  "permission-denied": PermissionDeniedError,
  "not-found": NotFoundError,
  "request-too-large": TooLargeError,
  exhausted: ExhaustedError,
  unavailable: UnavailableError,
  timeout: UnavailableError,
};

const STATUSES: Record<number, Kind> = {
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
};

/** The error for an answer: by the problem's type, and by the status for a type that is new. */
export function apiError(status: number, problem: Record<string, unknown>, retryAfter?: number): ApiError {
  const kind = KINDS[String(problem["type"] ?? "").replace("urn:problem-type:kairos:", "")] ?? STATUSES[status] ?? ApiError;
  return new kind(status, problem, retryAfter);
}

/** A task has not ended within the time for which it was awaited. */
export class StillRunningError extends KairosError {}

/** Thrown by a handler: the task fails for good, because no retry will help. */
export class FatalFailure extends Error {
  override name = "FatalFailure";
  readonly errorClass: string;
  constructor(message: string, options: { errorClass?: string; cause?: unknown } = {}) {
    super(message, options);
    this.errorClass = options.errorClass ?? "";
  }
}

/** Thrown by a handler: the attempt failed, and the next one begins after the delay, or by the retry policy. */
export class RetryLater extends Error {
  override name = "RetryLater";
  readonly errorClass: string;
  readonly delay: number | string | undefined;
  constructor(message: string, options: { delay?: number | string; errorClass?: string; cause?: unknown } = {}) {
    super(message, options);
    this.errorClass = options.errorClass ?? "";
    this.delay = options.delay;
  }
}

/** Thrown by a handler: the task is put off by the delay, which is no failure and counts no attempt. */
export class Snooze extends Error {
  override name = "Snooze";
  constructor(readonly delay: number | string) {
    super(`put off by ${delay}`);
  }
}

/** LEASE_LOST: another worker may begin the task. CANCEL_REQUESTED, EXECUTION_TIMEOUT, SHUTDOWN: the attempt is to end soon. */
export type CancelReason = "LEASE_LOST" | "CANCEL_REQUESTED" | "EXECUTION_TIMEOUT" | "SHUTDOWN";

/** The reason of the signal of an attempt that is to end, and what TaskContext.sleep and signal.throwIfAborted throw then. */
export class Cancelled extends Error {
  override name = "Cancelled";
  constructor(readonly reason: CancelReason) {
    super(`cancelled: ${reason}`);
  }
}
