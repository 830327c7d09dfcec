import { StillRunningError } from "./errors.js";
import {
  type Batch,
  type CancelOutcome,
  type Duration,
  type Scheduled,
  Task,
  TaskFailedError,
  type TaskRequest,
  TaskResult,
  type TaskState,
  batchOf,
  durationText,
  isRepeatable,
  millisOf,
  requestJson,
  secondsText,
  timeText,
} from "./model.js";
import { type ConnectionOptions, Transport } from "./transport.js";

const LONGEST_WAIT = 30_000;

export interface ClientOptions extends ConnectionOptions {
  /** Of one call of one node; 10 s when left out. */
  timeout?: Duration;
}

/** Which tasks to list; all when nothing is given. */
export interface TaskFilter {
  handler?: string;
  states?: readonly TaskState[];
  key?: string;
  collection?: string;
  batch?: string;
  schedule?: string;
  notBefore?: Date;
  before?: Date;
  pageSize?: number;
}

/**
 * Schedules tasks, and asks for what became of them. Calls the nodes in turn.
 *
 * Calls that are idempotent are repeated on other nodes, six times at most; so is a call that certainly had no effect. A schedule call whose answer was
 * lost is repeated only when all of its tasks have an idempotency key that outlives them, such as keyOfCall().
 */
export class KairosClient {
  readonly #wire: Transport;
  readonly #timeout: number;

  constructor(options: ClientOptions = {}) {
    this.#wire = new Transport(options);
    this.#timeout = millisOf("timeout", options.timeout ?? "10s");
  }

  /** Stores a task: when the promise is fulfilled, the task is durable. */
  async schedule(task: TaskRequest): Promise<Scheduled> {
    const answer = await this.#call("POST", "/v1/tasks", requestJson(task), { idempotent: isRepeatable(task) });
    return { id: answer["id"], duplicate: answer["duplicate"] ?? false };
  }

  /** Stores 1 to 1,000 tasks, all of them or none. They may wait for each other: after: [{ index: 0 }]. */
  async scheduleAll(tasks: readonly TaskRequest[]): Promise<Scheduled[]> {
    const body = { tasks: tasks.map(requestJson) };
    const answer = await this.#call("POST", "/v1/tasks:batch", body, { idempotent: tasks.every(isRepeatable) });
    return answer["tasks"].map((one: Record<string, any>) => ({ id: one["id"], duplicate: one["duplicate"] ?? false }));
  }

  async get(id: string, options: { withoutPayload?: boolean } = {}): Promise<Task> {
    return new Task(await this.#call("GET", taskPath(id) + query({ withoutPayload: options.withoutPayload })));
  }

  /** Waits until the task has ended, however: its state says how. Without a timeout for ever, otherwise StillRunningError after it. */
  async awaitTask(id: string, timeout?: Duration): Promise<Task> {
    const until = timeout === undefined ? Number.POSITIVE_INFINITY : performance.now() + millisOf("timeout", timeout);
    for (;;) {
      const wait = Math.max(0, Math.min(LONGEST_WAIT, until - performance.now()));
      const path = `${taskPath(id)}:await${query({ wait: secondsText(wait) })}`;
      const answer = await this.#call("GET", path, undefined, { timeout: wait + this.#timeout });
      if (answer["task"] !== undefined) {
        return new Task(answer["task"]);
      }
      if (performance.now() >= until) {
        throw new StillRunningError(`task ${id} has not ended`);
      }
    }
  }

  /** Waits for the task's success and returns its result, an empty one when there is none. TaskFailedError when it ends otherwise. */
  async result(id: string, timeout?: Duration): Promise<TaskResult> {
    const task = await this.awaitTask(id, timeout);
    if (task.state !== "SUCCEEDED") {
      throw new TaskFailedError(task);
    }
    return task.result ?? new TaskResult(new Uint8Array());
  }

  async cancel(id: string): Promise<CancelOutcome> {
    return (await this.#call("POST", `${taskPath(id)}:cancel`))["outcome"];
  }

  /** Gives a waiting task another due time: exactly one of runAt and delay. */
  async reschedule(id: string, to: { runAt?: Date; delay?: Duration }): Promise<Task> {
    const body = { runAt: timeText("runAt", to.runAt), delay: durationText("delay", to.delay) };
    // A delay counts from the arrival of the call, so that a repeated call moves the time a little, as a later call would.
    return new Task(await this.#call("POST", `${taskPath(id)}:reschedule`, body));
  }

  /** Tasks without payloads, newest first; asks for a page when the one before has been read. */
  async *list(filter: TaskFilter = {}): AsyncGenerator<Task> {
    const given = { ...filter, notBefore: timeText("notBefore", filter.notBefore), before: timeText("before", filter.before) };
    for await (const one of this.#pages("/v1/tasks", given, "tasks")) {
      yield new Task(one);
    }
  }

  /** Creates a batch, or answers the one of this name. Without a name a repeated call could make another, so it is not repeated. */
  async createBatch(handler: string, name?: string): Promise<Batch> {
    return batchOf((await this.#call("POST", "/v1/batches", { handler, name }, { idempotent: Boolean(name) }))["batch"]);
  }

  async getBatch(id: string): Promise<Batch> {
    return batchOf(await this.#call("GET", batchPath(id)));
  }

  async *listBatches(handler?: string): AsyncGenerator<Batch> {
    for await (const one of this.#pages("/v1/batches", { handler }, "batches")) {
      yield batchOf(one);
    }
  }

  /** Lets no more tasks join. */
  async closeBatch(id: string): Promise<Batch> {
    return batchOf(await this.#call("POST", `${batchPath(id)}:close`));
  }

  /** Closes the batch and cancels what has not ended of it; the number of tasks that were cancelled or whose workers are notified. */
  async cancelBatch(id: string): Promise<number> {
    let count = 0;
    for (let body: Record<string, unknown> = {}; ; ) {
      const answer = await this.#call("POST", `${batchPath(id)}:cancel`, body);
      count += answer["count"] ?? 0;
      if (!answer["more"]) {
        return count;
      }
      body = { before: answer["nextBefore"] };
    }
  }

  /** Any other call of the API, such as of schedules: JSON as docs/api.md describes it. */
  call(method: string, path: string, body?: Record<string, unknown>, options: { idempotent?: boolean } = {}): Promise<Record<string, any>> {
    return this.#call(method, path, body, { idempotent: options.idempotent ?? method === "GET" });
  }

  /** Closes connections. */
  close(): void {
    this.#wire.close();
  }

  async *#pages(path: string, filter: Record<string, unknown>, name: string): AsyncGenerator<Record<string, any>> {
    for (let pageToken: string | undefined; ; ) {
      const answer = await this.#call("GET", path + query({ ...filter, pageToken }));
      yield* answer[name] ?? [];
      pageToken = answer["nextPageToken"];
      if (!pageToken) {
        return;
      }
    }
  }

  #call(method: string, path: string, body?: Record<string, unknown>, options: { idempotent?: boolean; timeout?: number } = {}) {
    return this.#wire.call(method, path, body, { idempotent: options.idempotent ?? true, timeout: options.timeout ?? this.#timeout });
  }
}

function taskPath(id: string): string {
  return `/v1/tasks/${encodeURIComponent(id)}`;
}

function batchPath(id: string): string {
  return `/v1/batches/${encodeURIComponent(id)}`;
}

function query(fields: Record<string, unknown>): string {
  const pairs = Object.entries(fields).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).filter((one) => one !== undefined).map((one) => `${name}=${encodeURIComponent(String(one))}`),
  );
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}
