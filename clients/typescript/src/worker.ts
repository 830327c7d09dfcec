import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { ApiError, type CancelReason, Cancelled, FatalFailure, InvalidRequestError, RetryLater, Snooze, TooLargeError } from "./errors.js";
import {
  type Duration,
  MOST_RESULT_BYTES,
  type Predecessor,
  TaskResult,
  base64Of,
  bytesOf,
  dateOf,
  decodeText,
  millisFrom,
  millisOf,
  predecessorOf,
  secondsText,
} from "./model.js";
import { type ConnectionOptions, LONGEST_TIMER, type NodeAddress, Transport } from "./transport.js";

type Fields = Record<string, any>;

/**
 * Performs a task. What it returns is the result: undefined for none, a Uint8Array, a string, a TaskResult, or what can be written as JSON. It throws
 * FatalFailure to fail for good, Snooze to put the task off, RetryLater for a delay of its own; anything else that it throws is retried.
 */
export type Handler = (task: TaskContext) => unknown;

export interface WorkerOptions extends ConnectionOptions {
  /** A name that no other worker has at the same time. One is made when it is left out. */
  name?: string;
  /** Tasks that are performed at a time; 1 when left out. */
  concurrency?: number;
  /** How long tasks under way may go on after stop(); 30 s when left out. */
  drain?: Duration;
  /** Lower priorities only while no higher one is due. */
  strictPriority?: boolean;
  /** Whether the process ends, with code 70, when a handler goes on although its lease is lost; "abandon" when left out. */
  onLostLease?: "abandon" | "exit";
  /** Is told what goes wrong and will be tried again; console.warn when left out. Payloads are never in it. */
  log?: (message: string) => void;
}

/** Of a process that ended itself because of a lost lease. */
const EXIT_CODE = 70;
/** That a handler has to stop in when its lease is lost, before another worker may begin the task. */
const GRACE = 500;
const FAILURES_THAT_STOP = 3;
const ANSWER_TIME = 5_000;
const LEAVE_AGAIN = 500;
const LONGEST_STOP = 2_000;
const MOST_BYTES = 8 << 20;
const MOST_PER_CALL = 1_000;
const MOST_ERROR = 2_000;
const MOST_CLASS = 200;
const MOST_STACK = 8_000;
const MOST_NOTE = 500;
const LONGEST_DELAY = 365 * 86_400_000;

/** The attempt that a handler performs. */
export class TaskContext {
  readonly id: string;
  /** Grows with each claim. Store it with effects that must not be repeated. */
  readonly fence: bigint;
  readonly handler: string;
  /** From 1. */
  readonly attempt: number;
  readonly priority: number;
  readonly runAt: Date | undefined;
  readonly key: string;
  readonly collection: string;
  readonly fairnessKey: string;
  readonly traceparent: string;
  readonly predecessors: readonly Predecessor[];
  readonly morePredecessors: boolean;
  readonly #payload: Uint8Array;
  readonly #abort = new AbortController();
  #reason: CancelReason | undefined;
  #progress: { percent: number; note: string } | undefined;

  /** @internal */
  constructor(
    work: Fields,
    readonly worker: string,
  ) {
    this.id = work["id"];
    this.fence = BigInt(work["fence"]);
    this.handler = work["handler"] ?? "";
    this.attempt = work["attempt"] ?? 1;
    this.priority = work["priority"] ?? 0;
    this.runAt = dateOf(work["runAt"]);
    this.key = work["key"] ?? "";
    this.collection = work["collection"] ?? "";
    this.fairnessKey = work["fairnessKey"] ?? "";
    this.traceparent = work["traceparent"] ?? "";
    this.predecessors = (work["predecessors"] ?? []).map(predecessorOf);
    this.morePredecessors = work["morePredecessors"] ?? false;
    this.#payload = bytesOf(work["payload"]);
  }

  get payload(): Uint8Array {
    return this.#payload;
  }

  /** The payload as text; the task fails for good when it is not UTF-8. */
  text(): string {
    try {
      return decodeText(this.#payload);
    } catch {
      throw new FatalFailure("the payload is not UTF-8", { errorClass: "TypeError" });
    }
  }

  json(): unknown;
  json<T>(decode: (value: unknown) => T): T;
  /** The payload as JSON, passed through decode when it is given. The task fails for good when that throws, because no retry will help. */
  json<T>(decode?: (value: unknown) => T): unknown {
    const text = this.text();
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (e) {
      // The message of JSON.parse quotes the payload.
      throw new FatalFailure("the payload is not JSON", { errorClass: e instanceof Error ? e.name : "SyntaxError" });
    }
    if (decode === undefined) {
      return value;
    }
    try {
      return decode(value);
    } catch (cause) {
      throw new FatalFailure(`the payload is not what ${decode.name || "decode"} takes: ${textOf(cause)}`, { cause });
    }
  }

  /** Is shown to operators; goes with the next heartbeat. */
  progress(percent: number, note = ""): void {
    this.#progress = { percent: Math.max(0, Math.min(100, Math.trunc(percent))), note: sendable(note, MOST_NOTE) };
  }

  /** @internal */
  get said(): { percent: number; note: string } | undefined {
    return this.#progress;
  }

  /** Aborted, with Cancelled as reason, when the handler is to end: give it to fetch, timers and so on. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Why the handler is to end. Its result does not count when it is LEASE_LOST: another worker may begin the task. */
  get cancelReason(): CancelReason | undefined {
    return this.#reason;
  }

  /** Sleeps, and throws Cancelled as soon as the handler is to end. */
  sleep(time: Duration): Promise<void> {
    return new Promise((resolve, reject) => {
      const signal = this.#abort.signal;
      const end = performance.now() + millisOf("time", time);
      let timer: NodeJS.Timeout;
      const abort = () => {
        clearTimeout(timer);
        reject(signal.reason);
      };
      // Always by a timer: a loop that sleeps for 0 would otherwise let no heartbeat through.
      const wait = () => {
        const left = Math.max(0, end - performance.now());
        timer = setTimeout(left > LONGEST_TIMER ? wait : done, Math.min(left, LONGEST_TIMER));
      };
      const done = () => {
        signal.removeEventListener("abort", abort);
        resolve();
      };
      if (signal.aborted) {
        abort();
        return;
      }
      signal.addEventListener("abort", abort, { once: true });
      wait();
    });
  }

  /** @internal The first reason stays, but a lost lease overrides all others. */
  cancel(reason: CancelReason): void {
    if (this.#reason === undefined || reason === "LEASE_LOST") {
      this.#reason = reason;
      this.#abort.abort(new Cancelled(reason));
    }
  }
}

/** A task that is leased to this worker. */
class Attempt {
  readonly claimedAt = performance.now();
  readonly grace: number;
  /** Sending of the last request that a node acknowledged: the lease counts from there, because nobody can tell how old an answer is. */
  extendedAt: number;
  beatAt: number;
  failedBeats = 0;
  noted: unknown;
  phase: "running" | "ended" | "lost" | "over" = "running";

  constructor(
    readonly context: TaskContext,
    askedAt: number,
    readonly lease: number,
    readonly interval: number,
    readonly timeout: number,
  ) {
    this.extendedAt = this.beatAt = askedAt;
    this.grace = Math.min(GRACE, lease / 4);
  }

  /** False when a handler would have too little time to stop before the lease ends. */
  isSafeAt(now: number): boolean {
    return now - this.extendedAt < this.lease - this.grace - this.interval / 4;
  }
}

interface Finished {
  attempt: Attempt;
  result: Fields;
}

/**
 * Performs tasks, as many at a time as concurrency says.
 *
 * Leases are kept by heartbeats. A lease is lost when a node says so, when three heartbeats in a row fail, or when it is about to run out. The handler's
 * signal is aborted then, and its result is not sent. A handler that goes on is abandoned and keeps its place until it returns; with onLostLease "exit"
 * the process ends instead. A handler that blocks the event loop blocks the heartbeats as well: give long computations to a worker thread.
 */
export class Worker {
  readonly name: string;
  readonly #options: WorkerOptions;
  readonly #concurrency: number;
  readonly #drain: number;
  readonly #handlers = new Map<string, Handler>();
  readonly #polls: Transport;
  // Results and heartbeats count the failures of nodes by themselves, because they are urgent: a node that wants no polls for a minute takes them.
  readonly #results: Transport;
  readonly #beats: Transport;
  readonly #held = new Set<Attempt>();
  readonly #outbox: Finished[] = [];
  readonly #log: (message: string) => void;
  readonly #waiting = new Set<() => void>();
  #places: number;
  #interval = 1_000;
  #wait = 1_000;
  #fetching = false;
  #stopping = false;
  #over = false;
  #ended: Promise<void> | undefined;

  constructor(options: WorkerOptions = {}) {
    const concurrency = options.concurrency ?? 1;
    if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > 1_000) {
      throw new RangeError(`concurrency: must be 1 to 1000, not ${concurrency}`);
    }
    if (!["abandon", "exit", undefined].includes(options.onLostLease)) {
      throw new RangeError(`onLostLease: must be "abandon" or "exit", not ${JSON.stringify(options.onLostLease)}`);
    }
    this.#options = options;
    this.#concurrency = this.#places = concurrency;
    this.#drain = millisOf("drain", options.drain ?? "30s");
    const log = options.log ?? ((message: string) => console.warn(`kairos: ${message}`));
    this.#log = (message) => {
      try {
        log(message);
      } catch {
        // A log that fails must not end the worker.
      }
    };
    this.name = options.name ?? `${hostname().slice(0, 80)}-${process.pid}-${randomUUID().slice(0, 8)}`;
    this.#polls = new Transport(options);
    this.#results = new Transport(options);
    this.#beats = new Transport(options);
  }

  /** Performs the tasks of this handler. */
  handle(name: string, perform: Handler): this {
    if (this.#ended !== undefined) {
      throw new Error("add handlers before the worker starts");
    }
    if (this.#handlers.has(name)) {
      throw new Error(`handler ${JSON.stringify(name)} is there already`);
    }
    this.#handlers.set(name, perform);
    return this;
  }

  /** Begins to perform tasks, and returns at once. */
  start(): void {
    if (this.#handlers.size === 0) {
      throw new Error("the worker has no handler: add one with handle()");
    }
    if (this.#ended !== undefined) {
      throw new Error("the worker was started before");
    }
    void this.#keepLeases();
    void this.#report();
    this.#ended = this.#fetch();
    this.#ended.catch((e) => this.#log(`the worker ends: ${textOf(e)}`)); // and join() is rejected
  }

  /** Performs tasks until SIGTERM, SIGINT or stop(); then drains. */
  async run(): Promise<void> {
    const stop = () => this.stop();
    process.on("SIGTERM", stop).on("SIGINT", stop);
    try {
      this.start();
      await this.join();
    } finally {
      process.off("SIGTERM", stop).off("SIGINT", stop);
    }
  }

  /** Claims no more tasks and begins to drain; returns at once. */
  stop(): void {
    if (!this.#stopping) {
      this.#stopping = true;
      this.#notify();
      void this.#leave();
    }
  }

  /** Waits for the end of the drain. Rejected by what ended the worker, such as a handler name that breaks a rule. */
  async join(): Promise<void> {
    await this.#ended;
  }

  async close(): Promise<void> {
    this.stop();
    await this.join();
  }

  /** Resolves at the next change of what is held or wanted, or after the time. */
  #change(most: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        this.#waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, Math.min(most, LONGEST_TIMER));
      this.#waiting.add(wake);
    });
  }

  #notify(): void {
    [...this.#waiting].forEach((wake) => wake());
  }

  async #until(met: () => boolean, most: number): Promise<boolean> {
    const end = performance.now() + most;
    while (!met() && performance.now() < end) {
      await this.#change(end - performance.now());
    }
    return met();
  }

  // Asking for work.

  async #fetch(): Promise<void> {
    this.#fetching = true;
    try {
      while (!this.#stopping) {
        // None while results pile up because no node takes them.
        if (this.#places > 0 && this.#outbox.length <= 2 * this.#concurrency) {
          await this.#ask(this.#places);
        } else {
          await this.#change(500);
        }
      }
    } catch (e) {
      this.#stopping = true;
      throw e;
    } finally {
      this.#fetching = false;
      this.#notify();
      await this.#end();
    }
  }

  async #ask(places: number): Promise<void> {
    const { node, rest } = this.#polls.next();
    if (rest > 0) {
      await this.#until(() => this.#stopping, rest);
      return;
    }
    const wait = this.#wait;
    const askedAt = performance.now();
    const body = {
      worker: this.name,
      handlers: [...this.#handlers.keys()],
      maxTasks: places,
      maxBytes: String(MOST_BYTES),
      wait: secondsText(wait),
      strictPriority: this.#options.strictPriority ?? false,
      host: hostname().slice(0, 255),
      version: VERSION,
      slots: this.#concurrency,
    };
    let lease: number;
    let interval: number;
    let attempts: Attempt[];
    try {
      const answer = await this.#polls.once(node, "POST", "/v1/work:next", body, wait + ANSWER_TIME);
      lease = millisFrom(answer["lease"]);
      interval = millisFrom(answer["heartbeatInterval"]) || lease / 4;
      const work: Fields[] = lease > 0 ? (answer["work"] ?? []) : [];
      attempts = this.#attempts(work, askedAt, lease, interval);
    } catch (e) {
      if (e instanceof InvalidRequestError) {
        throw e;
      }
      this.#failed(this.#polls, node, e, "asking for work"); // an answer that makes no sense, too
      return;
    }
    this.#polls.works(node);
    if (lease > 0) {
      this.#interval = interval;
      // Short against the lease, which counts from the asking.
      this.#wait = Math.max(10, Math.min(30_000, lease / 4));
    }
    if (attempts.length === 0 && performance.now() - askedAt < wait / 4) {
      this.#polls.failed(node); // it did not let the call wait, or gave nonsense: it is not called in a loop
    }
    attempts.forEach((one) => this.#claim(one));
  }

  /** Those that can be read; the others are performed elsewhere after their leases. */
  #attempts(work: Fields[], askedAt: number, lease: number, interval: number): Attempt[] {
    const attempts: Attempt[] = [];
    for (const one of work) {
      try {
        attempts.push(new Attempt(new TaskContext(one, this.name), askedAt, lease, interval, millisFrom(one["executionTimeout"])));
      } catch (e) {
        this.#log(`a task that makes no sense is not begun: ${textOf(e)}`);
      }
    }
    return attempts;
  }

  /**
   * Begins the task, but gives it back when the answer came so late that the lease is about to end, as after a standstill of the process; a task whose
   * lease has ended is another worker's.
   */
  #claim(attempt: Attempt): void {
    const now = performance.now();
    if (attempt.isSafeAt(now) && !this.#stopping) {
      this.#held.add(attempt);
      this.#places--;
      void this.#perform(attempt);
    } else if (now - attempt.extendedAt < attempt.lease) {
      this.#held.add(attempt);
      attempt.phase = "ended";
      this.#outbox.push({ attempt, result: { notBegun: {} } });
      this.#notify();
    } else {
      this.#log(`task ${attempt.context.id} of ${attempt.context.handler} is not begun: its lease ended before it came`);
    }
  }

  #failed(wire: Transport, node: NodeAddress, error: unknown, doing: string): void {
    if (wire.failed(node, error)) {
      this.#log(`${doing} failed, will be tried again: ${textOf(error)}`);
    }
  }

  // Performing.

  async #perform(attempt: Attempt): Promise<void> {
    const result = await this.#outcome(attempt.context);
    if (attempt.phase === "running" && performance.now() - attempt.extendedAt < attempt.lease) {
      attempt.phase = "ended";
      this.#outbox.push({ attempt, result });
    } else {
      attempt.phase = "over";
      this.#held.delete(attempt);
    }
    this.#places++;
    this.#notify();
  }

  async #outcome(context: TaskContext): Promise<Fields> {
    try {
      const handler = this.#handlers.get(context.handler);
      if (handler === undefined) {
        throw new Error(`this worker has no handler ${JSON.stringify(context.handler)}`);
      }
      const value = await handler(context);
      return context.cancelReason === "EXECUTION_TIMEOUT" ? timedOut() : { success: successOf(value) };
    } catch (e) {
      return told(e, context.cancelReason);
    }
  }

  // Reporting.

  /** Sends what has ended, together, until a node has answered or the leases have run out; heartbeats keep them meanwhile. */
  async #report(): Promise<void> {
    while (!this.#over) {
      const batch: Finished[] = [];
      for (let size = 0; this.#outbox.length > 0 && batch.length < MOST_PER_CALL && size < MOST_BYTES; ) {
        const one = this.#outbox.shift() as Finished;
        batch.push(one);
        size += one.result["success"]?.result?.value.length ?? 0;
      }
      if (batch.length > 0) {
        try {
          await this.#send(batch);
        } catch (e) {
          this.#log(`${batch.length} results cannot be sent; their tasks begin again after their leases: ${textOf(e)}`);
          this.#settle(batch);
        }
      } else {
        await this.#change(500);
      }
    }
  }

  async #send(batch: Finished[]): Promise<void> {
    const [first] = batch as [Finished];
    const results = batch.map(({ attempt: { context }, result }) => ({ id: context.id, fence: String(context.fence), ...result }));
    const { node, rest } = this.#results.next();
    // As long as the node asks for, but not so long that the leases run out.
    await this.#until(() => this.#over, Math.min(rest, first.attempt.lease / 4));
    try {
      const answer = await this.#results.once(node, "POST", "/v1/work:result", { worker: this.name, results }, ANSWER_TIME);
      this.#results.works(node);
      (answer["answers"] ?? []).forEach((one: Fields, i: number) => {
        if (!one["accepted"]) {
          this.#log(`the result of task ${batch[i]?.attempt.context.id} is refused: ${one["reason"] ?? ""}`);
        }
      });
      this.#settle(batch);
    } catch (e) {
      if (!(e instanceof InvalidRequestError || e instanceof TooLargeError)) {
        this.#failed(this.#results, node, e, "reporting results");
        const now = performance.now();
        this.#settle(batch.filter(({ attempt }) => now - attempt.extendedAt >= attempt.lease));
        this.#outbox.unshift(...batch.filter(({ attempt }) => attempt.phase === "ended"));
      } else if (batch.length > 1) {
        for (const one of batch) {
          await this.#send([one]);
        }
      } else if (first.result["success"] !== undefined) {
        const error = sendable(`performed, but its result is refused: ${textOf(e)}`, MOST_ERROR);
        await this.#send([{ attempt: first.attempt, result: { fatal: { error, errorClass: "result refused" } } }]);
      } else {
        this.#log(`a node refuses the outcome of task ${first.attempt.context.id}, which will be performed again: ${textOf(e)}`);
        this.#settle(batch);
      }
    }
  }

  #settle(batch: Finished[]): void {
    for (const { attempt } of batch) {
      attempt.phase = "over";
      this.#held.delete(attempt);
    }
    this.#notify();
  }

  // Leases.

  async #keepLeases(): Promise<void> {
    while (!this.#over) {
      try {
        this.#judgeLeases(performance.now());
      } catch (e) {
        this.#log(`the leases were not looked at, and will be again: ${textOf(e)}`);
      }
      await new Promise((resolve) => setTimeout(resolve, Math.max(5, Math.min(125, this.#interval / 8))));
    }
  }

  #judgeLeases(now: number): void {
    const held = [...this.#held];
    for (const one of held) {
      if (one.phase === "running" && one.timeout > 0 && now - one.claimedAt >= one.timeout) {
        one.context.cancel("EXECUTION_TIMEOUT");
      }
    }
    // So early that the handler's time to stop is over before the lease is.
    this.#lose(
      held.filter((one) => !one.isSafeAt(now)),
      "its time was up without an acknowledged heartbeat",
    );
    const due = held.filter((one) => one.isSafeAt(now) && now - one.beatAt >= (one.interval * 7) / 8);
    for (let i = 0; i < due.length; i += MOST_PER_CALL) {
      this.#beat(due.slice(i, i + MOST_PER_CALL)).catch((e) => this.#log(`a heartbeat failed: ${textOf(e)}`));
    }
  }

  async #beat(attempts: Attempt[]): Promise<void> {
    const sentAt = performance.now();
    const said = attempts.map((one) => one.context.said);
    const held = attempts.map((one, i) => ({
      id: one.context.id,
      fence: String(one.context.fence),
      progress: said[i] === one.noted ? undefined : said[i],
    }));
    attempts.forEach((one) => (one.beatAt = sentAt));
    const timeout = (Math.min(...attempts.map((one) => one.interval)) * 4) / 5;
    for (let i = 0; i < this.#beats.nodes.length; i++) {
      const { node } = this.#beats.next();
      const left = timeout - (performance.now() - sentAt);
      if (left <= 0) {
        break;
      }
      try {
        const answer = await this.#beats.once(node, "POST", "/v1/work:heartbeat", { worker: this.name, held }, left);
        this.#beats.works(node);
        this.#acknowledged(attempts, said, answer["answers"] ?? [], sentAt);
        return;
      } catch (e) {
        this.#failed(this.#beats, node, e, "a heartbeat");
        if (e instanceof ApiError && e.status < 429) {
          break;
        }
      }
    }
    this.#lose(
      attempts.filter((one) => ++one.failedBeats >= FAILURES_THAT_STOP),
      "three heartbeats in a row failed",
    );
  }

  #acknowledged(attempts: Attempt[], said: unknown[], answers: Fields[], sentAt: number): void {
    const lost: Attempt[] = [];
    let why = "";
    attempts.forEach((one, i) => {
      const verdict = answers[i]?.["verdict"];
      if (verdict === "LOST") {
        lost.push(one); // but one that has ended: its result has just arrived, or will be refused
        why ||= answers[i]?.["reason"] ?? "";
      } else if (verdict === "EXTENDED" || verdict === "CANCEL_REQUESTED") {
        one.failedBeats = 0;
        one.extendedAt = Math.max(one.extendedAt, sentAt);
        one.noted = said[i];
        if (verdict === "CANCEL_REQUESTED") {
          one.context.cancel("CANCEL_REQUESTED");
        }
      }
    });
    this.#lose(lost, why || "a node said that another worker holds the task, or none");
  }

  #lose(attempts: Attempt[], why: string): void {
    for (const one of attempts.filter((each) => each.phase === "running")) {
      one.phase = "lost";
      this.#held.delete(one);
      one.context.cancel("LEASE_LOST");
      this.#log(`the lease of task ${one.context.id} of ${one.context.handler} is lost, its handler is cancelled and its result not sent: ${why}`);
      setTimeout(() => this.#judge(one), one.grace).unref();
    }
  }

  #judge(attempt: Attempt): void {
    if (attempt.phase !== "lost") {
      return;
    }
    const { handler, id } = attempt.context;
    if (this.#options.onLostLease === "exit") {
      this.#log(`the process ends: handler ${handler} goes on with task ${id} although its lease is lost`);
      process.exit(EXIT_CODE);
    }
    this.#log(`handler ${handler} goes on with task ${id} without its lease; it keeps its place until it returns, and another worker may begin the task`);
  }

  // Ending.

  /** Nodes answer the call that waits for work at once. Again and again, as that call may reach its node after this one. */
  async #leave(): Promise<void> {
    const leave = (node: NodeAddress) => this.#polls.once(node, "POST", "/v1/work:leave", { worker: this.name }, ANSWER_TIME);
    await Promise.allSettled(this.#polls.nodes.map(leave));
    while (!(await this.#until(() => !this.#fetching, LEAVE_AGAIN))) {
      await Promise.allSettled(this.#polls.nodes.map(leave));
    }
  }

  /**
   * Lets tasks under way end, then cancels them. What goes on even then keeps its lease until that lapses, and its result is not sent.
   */
  async #end(): Promise<void> {
    const done = () => this.#held.size === 0 && this.#places === this.#concurrency;
    await this.#until(done, this.#drain);
    this.#held.forEach((one) => one.context.cancel("SHUTDOWN"));
    if (!(await this.#until(done, LONGEST_STOP))) {
      for (const { context } of this.#held) {
        this.#log(`handler ${context.handler} does not end; task ${context.id} begins elsewhere when its lease has lapsed`);
      }
    }
    this.#over = true;
    this.#notify();
    [this.#polls, this.#results, this.#beats].forEach((one) => one.close());
  }
}

function successOf(value: unknown): Fields {
  if (value === undefined) {
    return {};
  }
  let result: TaskResult;
  if (value instanceof TaskResult) {
    result = value;
  } else if (value instanceof Uint8Array) {
    result = new TaskResult(value, "application/octet-stream");
  } else if (typeof value === "string") {
    result = TaskResult.text(value);
  } else {
    try {
      result = TaskResult.json(value);
    } catch (e) {
      throw new FatalFailure(`performed, but its ${e instanceof Error ? e.message : e}`, { errorClass: "result not JSON" });
    }
  }
  const bytes = result.value.byteLength;
  if (bytes > MOST_RESULT_BYTES) {
    throw new FatalFailure(`performed, but its result has ${bytes} bytes: keep it elsewhere, and return where; at most ${MOST_RESULT_BYTES} are kept`, {
      errorClass: "result too large",
    });
  }
  return { result: { value: base64Of(result.value), contentType: result.contentType } };
}

/** How an attempt has ended by this, whatever was thrown: the text of an object may fail. */
function told(thrown: unknown, reason: CancelReason | undefined): Fields {
  try {
    return failureOf(thrown, reason);
  } catch (e) {
    const error = `a ${typeof thrown} was thrown of which no more can be said: ${e instanceof Error ? e.name : typeof e}`;
    const failure = { error: sendable(error, MOST_ERROR), errorClass: typeof thrown };
    return thrown instanceof FatalFailure ? { fatal: failure } : { retryLater: failure };
  }
}

function failureOf(thrown: unknown, reason: CancelReason | undefined): Fields {
  if (reason === "EXECUTION_TIMEOUT") {
    return timedOut();
  }
  if (thrown instanceof Cancelled || (thrown instanceof Error && thrown.name === "AbortError")) {
    if (reason === "CANCEL_REQUESTED") {
      return { cancelled: {} };
    }
    if (reason === "SHUTDOWN") {
      return { retryLater: { error: "the worker was stopped", errorClass: "Cancelled", delay: "0s" } };
    }
  }
  const ours = thrown instanceof FatalFailure || thrown instanceof RetryLater;
  let delay: string | undefined;
  try {
    if (thrown instanceof Snooze) {
      return { snoozed: { delay: delayText(thrown.delay) } };
    }
    delay = thrown instanceof RetryLater && thrown.delay !== undefined ? delayText(thrown.delay) : undefined;
  } catch (e) {
    return failureOf(e, reason); // a delay that is none
  }
  const told = ours && thrown.cause !== undefined ? thrown.cause : thrown;
  const failure = {
    error: sendable(ours ? thrown.message : textOf(thrown), MOST_ERROR),
    errorClass: sendable((ours && thrown.errorClass) || classOf(told), MOST_CLASS),
    stack: sendable(told instanceof Error ? (told.stack ?? "") : "", MOST_STACK),
  };
  return thrown instanceof FatalFailure ? { fatal: failure } : { retryLater: { ...failure, delay } };
}

function classOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.name || thrown.constructor.name : typeof thrown;
}

function textOf(thrown: unknown): string {
  return String(thrown);
}

/** As much as is kept, without halves of characters, which cannot be sent. */
function sendable(text: string, most: number): string {
  return text.slice(0, most).replace(/\p{Surrogate}/gu, "\uFFFD");
}

function timedOut(): Fields {
  return { retryLater: { error: "execution timeout", errorClass: "execution timeout" } };
}

function delayText(delay: Duration): string {
  return secondsText(Math.max(0, Math.min(LONGEST_DELAY, millisOf("delay", delay))));
}

const VERSION = `kairos-client-typescript ${JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version}`;
