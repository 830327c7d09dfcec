/** Client and worker of Kairos, a durable, distributed scheduler. Without dependencies. */
export { KairosClient, type ClientOptions, type TaskFilter } from "./client.js";
export {
  ApiError,
  Cancelled,
  ConflictError,
  ExhaustedError,
  FatalFailure,
  IdempotencyKeyTakenError,
  InvalidRequestError,
  KairosError,
  NodesUnavailableError,
  NotFoundError,
  PermissionDeniedError,
  RetryLater,
  Snooze,
  StillRunningError,
  TooLargeError,
  UnauthenticatedError,
  UnavailableError,
  type CancelReason,
} from "./errors.js";
export {
  Task,
  TaskFailedError,
  TaskResult,
  keyOfCall,
  type After,
  type Batch,
  type CancelOutcome,
  type Duration,
  type Failure,
  type Idempotency,
  type Predecessor,
  type Progress,
  type RetryPolicy,
  type Scheduled,
  type TaskRequest,
  type TaskState,
} from "./model.js";
export type { ConnectionOptions } from "./transport.js";
export { Worker, type Handler, type TaskContext, type WorkerOptions } from "./worker.js";
