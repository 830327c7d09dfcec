import { randomUUID } from "node:crypto";
import { KairosError } from "./errors.js";

/** Milliseconds, or a text such as "250ms", "5s", "10m", "2h" or "3d". */
export type Duration = number | string;

/** Of a task's result. */
export const MOST_RESULT_BYTES = 262_144;

type Fields = Record<string, any>;

/** States of a task. A state that this version does not know is a text as well. */
export type TaskState =
  | "NEW"
  | "ENQUEUED"
  | "PROCESSING"
  | "RETRIABLE_FAILURE"
  | "SUCCEEDED"
  | "FAILED"
  | "CANCELLED"
  | "DEAD"
  | "BLOCKED"
  | "PAUSED"
  | "AWAITING"
  | (string & {});

export type CancelOutcome = "CANCELLED" | "REQUESTED" | "TOO_LATE" | (string & {});

/** When a failed attempt is retried. What is left out comes from the handler's policy. */
export interface RetryPolicy {
  maxAttempts?: number;
  initialBackoff?: Duration;
  factor?: number;
  maxBackoff?: Duration;
}

/** Makes tasks of one handler with the same key one task. At most one of window, duration and period. */
export interface Idempotency {
  key: string;
  window?: "WHILE_UNFINISHED" | "WHILE_WAITING" | "FOREVER";
  duration?: Duration;
  period?: { unit?: "MINUTE" | "HOUR" | "DAY" | "WEEK" | "MONTH"; timeZone?: string };
  onConflict?: "KEEP" | "REPLACE" | "ERROR";
  maxWait?: Duration;
}

/** A new key for one call, so that the client may repeat it when its answer is lost. It stands for an hour. */
export function keyOfCall(): Idempotency {
  return { key: randomUUID(), duration: "1h" };
}

/** A predecessor: exactly one of the id of a task, the index of a task of the same call, and the id of a batch. */
export interface After {
  task?: string;
  index?: number;
  batch?: string;
  onFailure?: "FAIL" | "BLOCK" | "CONTINUE";
}

/**
 * A task to schedule: handler, at most one of payload, text and json, and options as docs/api.md describes them. Exactly one of handler, pool and
 * topic is given.
 */
export interface TaskRequest {
  handler?: string;
  payload?: Uint8Array;
  text?: string;
  /** Anything that JSON can say, null too; undefined is left out. */
  json?: unknown;
  runAt?: Date;
  delay?: Duration;
  /** 0 to 100, higher is sooner. */
  priority?: number;
  key?: string;
  collection?: string;
  fairnessKey?: string;
  fairnessWeight?: number;
  /** Names of limits by key, at most three. */
  limits?: readonly string[];
  retryPolicy?: RetryPolicy;
  executionTimeout?: Duration;
  startDeadline?: Date;
  rejectBeyond?: Duration;
  idempotency?: Idempotency;
  after?: readonly After[];
  batch?: string;
  traceparent?: string;
  pool?: { name: string; method?: string; path?: string; headers?: readonly { name: string; value: string }[]; routingKey?: string };
  topic?: { name: string; key?: Uint8Array; headers?: readonly { name: string; value: Uint8Array }[] };
}

/** The answer to a schedule call. duplicate is true when the task was there already, by its idempotency key. */
export interface Scheduled {
  readonly id: string;
  readonly duplicate: boolean;
}

/** What a successful attempt has left, or what a handler returns: bytes with a media type. */
export class TaskResult {
  readonly #value: Uint8Array;
  constructor(
    value: Uint8Array,
    readonly contentType = "",
  ) {
    this.#value = value; // private, so that it is in no log
  }
  static json(value: unknown): TaskResult {
    return new TaskResult(jsonBytes(value, "result"), "application/json");
  }
  static text(value: string): TaskResult {
    return new TaskResult(Buffer.from(value), "text/plain; charset=utf-8");
  }
  get value(): Uint8Array {
    return this.#value;
  }
  text(): string {
    return decodeText(this.#value);
  }
  json(): unknown;
  json<T>(decode: (value: unknown) => T): T;
  /** The value as JSON, passed through decode when it is given. */
  json<T>(decode?: (value: unknown) => T): unknown {
    const value: unknown = JSON.parse(this.text());
    return decode === undefined ? value : decode(value);
  }
}

/** The failure of one attempt. */
export interface Failure {
  readonly attempt: number;
  readonly at: Date | undefined;
  readonly error: string;
  readonly errorClass: string;
  readonly stack: string;
  readonly outcome: string;
}

export interface Progress {
  readonly percent: number;
  readonly note: string;
  readonly at: Date | undefined;
}

/** A task as a node shows it. */
export class Task {
  readonly id: string;
  readonly handler: string;
  readonly state: TaskState;
  readonly priority: number;
  readonly attempt: number;
  readonly runAt: Date | undefined;
  readonly createdAt: Date | undefined;
  readonly finishedAt: Date | undefined;
  readonly key: string;
  readonly collection: string;
  readonly fairnessKey: string;
  readonly batch: string;
  readonly holder: string;
  readonly cancelRequested: boolean;
  readonly failures: readonly Failure[];
  readonly result: TaskResult | undefined;
  readonly progress: Progress | undefined;
  readonly #fields: Fields;

  constructor(fields: Fields) {
    this.#fields = fields;
    this.id = fields["id"] ?? "";
    this.handler = fields["handler"] ?? "";
    this.state = fields["state"] ?? "STATE_UNSPECIFIED";
    this.priority = fields["priority"] ?? 0;
    this.attempt = fields["attempt"] ?? 0;
    this.runAt = dateOf(fields["runAt"]);
    this.createdAt = dateOf(fields["createdAt"]);
    this.finishedAt = dateOf(fields["finishedAt"]);
    this.key = fields["key"] ?? "";
    this.collection = fields["collection"] ?? "";
    this.fairnessKey = fields["fairnessKey"] ?? "";
    this.batch = fields["batch"] ?? "";
    this.holder = fields["holder"] ?? "";
    this.cancelRequested = fields["cancelRequested"] ?? false;
    this.failures = (fields["failures"] ?? []).map((one: Fields) => ({
      attempt: one["attempt"] ?? 0,
      at: dateOf(one["at"]),
      error: one["error"] ?? "",
      errorClass: one["errorClass"] ?? "",
      stack: one["stack"] ?? "",
      outcome: one["outcome"] ?? "",
    }));
    this.result = fields["resultValue"] === undefined ? undefined : resultOf(fields["resultValue"]);
    const progress = fields["progress"];
    this.progress = progress && { percent: progress.percent ?? 0, note: progress.note ?? "", at: dateOf(progress.at) };
  }

  get payload(): Uint8Array {
    return bytesOf(this.#fields["payload"]);
  }

  /** All that was answered, also what this version does not know. */
  get fields(): Readonly<Fields> {
    return this.#fields;
  }

  get hasEnded(): boolean {
    return ["SUCCEEDED", "FAILED", "CANCELLED", "DEAD"].includes(this.state);
  }
}

/** A task has ended without success: see task. */
export class TaskFailedError extends KairosError {
  constructor(readonly task: Task) {
    const last = task.failures.at(-1)?.error;
    super(`task ${task.id} of ${task.handler} ended as ${task.state}${last ? `: ${last}` : ""}`);
  }
}

/** Tasks of one handler that are counted, waited for and cancelled together. state is undefined before it has ended. */
export interface Batch {
  readonly id: string;
  readonly handler: string;
  readonly name: string;
  readonly state: TaskState | undefined;
  readonly total: number;
  readonly unfinished: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly dead: number;
  readonly cancelled: number;
  readonly percent: number;
  readonly closedAt: Date | undefined;
  readonly completedAt: Date | undefined;
}

/** A task or batch that a task has waited for. result is undefined for none, and when it had no room (resultBytes says so). */
export interface Predecessor {
  readonly id: string;
  readonly handler: string;
  readonly state: TaskState;
  readonly isBatch: boolean;
  readonly result: TaskResult | undefined;
  readonly resultBytes: number;
}

export function batchOf(fields: Fields): Batch {
  const counts = fields["counts"] ?? {};
  const state = fields["state"] ?? "STATE_UNSPECIFIED";
  return {
    id: fields["id"] ?? "",
    handler: fields["handler"] ?? "",
    name: fields["name"] ?? "",
    state: state === "STATE_UNSPECIFIED" ? undefined : state,
    total: counts.total ?? 0,
    unfinished: counts.unfinished ?? 0,
    succeeded: counts.succeeded ?? 0,
    failed: counts.failed ?? 0,
    dead: counts.dead ?? 0,
    cancelled: counts.cancelled ?? 0,
    percent: fields["percent"] ?? 0,
    closedAt: dateOf(fields["closedAt"]),
    completedAt: dateOf(fields["completedAt"]),
  };
}

export function predecessorOf(fields: Fields): Predecessor {
  return {
    id: fields["id"] ?? "",
    handler: fields["handler"] ?? "",
    state: fields["state"] ?? "STATE_UNSPECIFIED",
    isBatch: fields["batch"] ?? false,
    result: fields["result"] === undefined ? undefined : resultOf(fields["result"]),
    resultBytes: Number(fields["resultBytes"] ?? 0),
  };
}

/** The JSON of a request. Bad arguments are a TypeError or RangeError that names them. */
export function requestJson(task: TaskRequest): Fields {
  if ([task.handler, task.pool, task.topic].filter(Boolean).length !== 1) {
    throw new TypeError("task: give exactly one of handler, pool and topic");
  }
  if ([task.payload, task.text, task.json].filter((one) => one !== undefined).length > 1) {
    throw new TypeError("task: give at most one of payload, text and json");
  }
  if (task.payload !== undefined && !(task.payload instanceof Uint8Array)) {
    throw new TypeError(`payload: must be a Uint8Array, not ${typeof task.payload}; text and json take others`);
  }
  let payload = task.payload;
  if (task.text !== undefined) {
    payload = Buffer.from(task.text);
  } else if (task.json !== undefined) {
    payload = jsonBytes(task.json, "json");
  }
  const idempotency = task.idempotency;
  const topic = task.topic;
  return {
    ...(task.handler && { handler: task.handler }),
    payload: payload === undefined ? undefined : base64Of(payload),
    runAt: timeText("runAt", task.runAt),
    delay: durationText("delay", task.delay),
    priority: task.priority,
    key: task.key,
    collection: task.collection,
    fairnessKey: task.fairnessKey,
    fairnessWeight: task.fairnessWeight,
    limits: task.limits,
    retryPolicy: task.retryPolicy && {
      maxAttempts: task.retryPolicy.maxAttempts,
      initialBackoff: durationText("initialBackoff", task.retryPolicy.initialBackoff),
      factor: task.retryPolicy.factor,
      maxBackoff: durationText("maxBackoff", task.retryPolicy.maxBackoff),
    },
    executionTimeout: durationText("executionTimeout", task.executionTimeout),
    startDeadline: timeText("startDeadline", task.startDeadline),
    rejectBeyond: durationText("rejectBeyond", task.rejectBeyond),
    idempotency: idempotency && {
      ...idempotency,
      duration: durationText("idempotency.duration", idempotency.duration),
      maxWait: durationText("idempotency.maxWait", idempotency.maxWait),
    },
    after: task.after?.map((one) => ({ id: one.task, index: one.index, batch: one.batch, onFailure: one.onFailure })),
    batch: task.batch,
    traceparent: task.traceparent,
    pool: task.pool,
    topic: topic && {
      name: topic.name,
      key: topic.key && base64Of(topic.key),
      headers: topic.headers?.map((one) => ({ name: one.name, value: base64Of(one.value) })),
    },
  };
}

/** True when a repeated call finds the first task and answers it, even when that one has ended. The key of a period may end between the two calls. */
export function isRepeatable(task: TaskRequest): boolean {
  const given = task.idempotency;
  if (given === undefined) {
    return false;
  }
  const outlives = given.window === "FOREVER" || given.duration !== undefined;
  return outlives && (given.onConflict ?? "KEEP") === "KEEP";
}

export function resultOf(fields: Fields): TaskResult {
  return new TaskResult(bytesOf(fields["value"]), fields["contentType"] ?? "");
}

export function jsonBytes(value: unknown, name: string): Uint8Array {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (e) {
    throw new TypeError(`${name}: cannot be written as JSON: ${e instanceof Error ? e.message.split("\n")[0] : e}`);
  }
  if (text === undefined) {
    throw new TypeError(`${name}: a ${typeof value} cannot be written as JSON`);
  }
  return Buffer.from(text);
}

export function bytesOf(text: string | undefined): Uint8Array {
  return Buffer.from(text ?? "", "base64");
}

export function base64Of(value: Uint8Array): string {
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("base64");
}

/** Throws a TypeError for bytes that are not UTF-8. */
export function decodeText(value: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(value);
}

const UNITS: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

export function millisOf(name: string, value: Duration): number {
  if (typeof value === "number" && Number.isFinite(value)) {
    return value;
  }
  const parts = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(String(value));
  if (parts === null) {
    throw new RangeError(`${name}: must be milliseconds or a text such as 250ms, 5s, 10m, 2h or 3d, not ${JSON.stringify(value)}`);
  }
  return Number(parts[1]) * (UNITS[parts[2] ?? ""] ?? 0);
}

export function durationText(name: string, value: Duration | undefined): string | undefined {
  return value === undefined ? undefined : secondsText(millisOf(name, value));
}

export function secondsText(millis: number): string {
  return `${(millis / 1_000).toFixed(6).replace(/\.?0+$/, "")}s`;
}

export function millisFrom(text: string | undefined): number {
  return text === undefined ? 0 : Number(text.replace(/s$/, "")) * 1_000;
}

export function timeText(name: string, value: Date | undefined): string | undefined {
  if (value !== undefined && (!(value instanceof Date) || Number.isNaN(value.getTime()))) {
    throw new TypeError(`${name}: must be a valid Date`);
  }
  return value?.toISOString();
}

export function dateOf(text: string | undefined): Date | undefined {
  return text ? new Date(text) : undefined;
}
