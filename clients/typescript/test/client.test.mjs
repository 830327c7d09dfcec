// The TypeScript client on real nodes. KAIROS_ADDRESS names a node; TLS_ADDRESS one that wants a certificate and a token, TLS_FOLDER their files.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { inspect } from "node:util";
import {
  ConflictError,
  FatalFailure,
  IdempotencyKeyTakenError,
  InvalidRequestError,
  KairosClient,
  NodesUnavailableError,
  NotFoundError,
  RetryLater,
  StillRunningError,
  TaskFailedError,
  TaskResult,
  UnauthenticatedError,
  Worker,
} from "kairos-client";

const HOUR = 3_600_000;
let handler;
let kairos;
let workers;

beforeEach(() => {
  handler = `ts-${randomUUID().slice(0, 8)}`;
  kairos = new KairosClient();
  workers = [];
});

afterEach(async () => {
  await Promise.all(workers.map((one) => one.close()));
  kairos.close();
});

function work(handlers) {
  const worker = new Worker({ concurrency: 4, drain: "1s" });
  Object.entries(handlers).forEach(([name, perform]) => worker.handle(`${handler}.${name}`, perform));
  worker.start();
  workers.push(worker);
}

const to = (behaviour, options = {}) => ({ handler: `${handler}.${behaviour}`, ...options });
const ended = async (request) => kairos.awaitTask((await kairos.schedule(request)).id, "30s");

test("every option of a task arrives", async () => {
  const batch = await kairos.createBatch(`${handler}.x`, "all");
  const first = await kairos.schedule(to("x", { delay: "1h" }));
  const runAt = new Date(Date.now() + HOUR);
  const { id } = await kairos.schedule(
    to("x", {
      json: { größe: [1, 2.5, null] },
      runAt,
      priority: 70,
      collection: "spring",
      fairnessKey: "acme",
      fairnessWeight: 3,
      retryPolicy: { maxAttempts: 3, initialBackoff: 1_500, factor: 2, maxBackoff: "1m" },
      executionTimeout: "30s",
      startDeadline: new Date(Date.now() + 2 * HOUR),
      idempotency: { key: "k", window: "FOREVER" },
      after: [{ task: first.id, onFailure: "CONTINUE" }],
      batch: batch.id,
      traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
    }),
  );
  const task = await kairos.get(id);
  assert.equal(Buffer.from(task.payload).toString(), '{"größe":[1,2.5,null]}');
  assert.deepEqual(
    [task.priority, task.state, task.collection, task.fairnessKey, task.batch, task.runAt],
    [70, "AWAITING", "spring", "acme", batch.id, runAt],
  );
  assert.equal(task.fields.retryPolicy.initialBackoff, "1.500s");
  assert.ok(!inspect(task).includes("größe"));
});

test("a task is scheduled once", async () => {
  const request = to("x", { delay: "1h", idempotency: { key: "once", duration: "1h" } });
  const first = await kairos.schedule(request);
  const again = await kairos.schedule(request);
  assert.deepEqual([again.id, first.duplicate, again.duplicate], [first.id, false, true]);
  await assert.rejects(
    kairos.schedule(to("x", { idempotency: { key: "once", duration: "1h", onConflict: "ERROR" } })),
    (e) => e instanceof IdempotencyKeyTakenError && e.task === first.id,
  );
});

test("many are scheduled together and wait for each other", async () => {
  const seen = [];
  work({
    first: () => ({ number: 7 }),
    last: (task) => {
      seen.push(...task.predecessors.map((one) => [one.handler, one.state, one.result?.json((value) => value.number)]));
      return new TaskResult(Buffer.from("end"), "text/x");
    },
  });
  const [, end] = await kairos.scheduleAll([to("first"), to("last", { after: [{ index: 0 }] })]);
  const result = await kairos.result(end.id, "30s");
  assert.deepEqual([result.text(), result.contentType], ["end", "text/x"]);
  assert.deepEqual(seen, [[`${handler}.first`, "SUCCEEDED", 7]]);
});

test("what a handler does is what the caller gets", async () => {
  work({
    order: (task) => ({ next: task.json((value) => parsed(value)) + 1 }),
    later: (task) => {
      if (task.attempt === 1) {
        throw new RetryLater("not yet", { delay: 0 });
      }
    },
    chain: () => {
      throw new FatalFailure("no room", { cause: new RangeError("disk") });
    },
    big: () => ({ big: 1n }),
  });
  assert.deepEqual((await kairos.result((await kairos.schedule(to("order", { json: { number: 1 } }))).id, "30s")).json(), { next: 2 });
  for (const payload of [Buffer.from("{no"), Buffer.of(255), Buffer.from("{}")]) {
    const bad = await ended(to("order", { payload }));
    assert.deepEqual([bad.state, bad.attempt], ["FAILED", 1]);
    assert.match(bad.failures[0].error, /the payload is not/);
  }
  const late = await ended(to("later"));
  assert.deepEqual([late.state, late.attempt, late.failures[0].error], ["SUCCEEDED", 2, "not yet"]);
  await assert.rejects(kairos.result((await kairos.schedule(to("chain"))).id, "30s"), (e) => {
    const [last] = e.task.failures;
    assert.deepEqual([e instanceof TaskFailedError, last.error, last.errorClass], [true, "no room", "RangeError"]);
    return last.stack.includes("disk");
  });
  const noJson = await ended(to("big"));
  assert.deepEqual([noJson.state, noJson.failures[0].errorClass], ["FAILED", "result not JSON"]);
});

function parsed(value) {
  if (typeof value.number !== "number") {
    throw new TypeError("number: must be a number");
  }
  return value.number;
}

test("a handler is cancelled by its signal and a timeout ends an attempt", async () => {
  let begun;
  const begins = new Promise((resolve) => (begun = resolve));
  work({
    waits: (task) => {
      begun();
      return task.sleep("60s");
    },
  });
  const { id } = await kairos.schedule(to("waits"));
  await begins;
  assert.equal(await kairos.cancel(id), "REQUESTED");
  assert.equal((await kairos.awaitTask(id, "30s")).state, "CANCELLED");
  const late = await ended(to("waits", { executionTimeout: "1s", retryPolicy: { maxAttempts: 1 } }));
  assert.deepEqual([late.state, late.failures[0].error], ["DEAD", "execution timeout"]);
});

test("tasks are cancelled, moved, listed and awaited", async () => {
  const ids = (await kairos.scheduleAll(Array.from({ length: 5 }, () => to("x", { delay: "1h", key: "k" })))).map((one) => one.id);
  assert.equal(await kairos.cancel(ids[0]), "CANCELLED");
  assert.equal(await kairos.cancel(ids[0]), "TOO_LATE");
  const far = new Date("2100-01-01T00:00:00Z");
  assert.deepEqual((await kairos.reschedule(ids[1], { runAt: far })).runAt, far);
  const listed = [];
  for await (const one of kairos.list({ handler: `${handler}.x`, states: ["NEW", "BLOCKED"], pageSize: 2 })) {
    listed.push(one.id);
  }
  assert.deepEqual(listed.sort(), ids.slice(1).sort());
  await assert.rejects(kairos.awaitTask(ids[2], 200), StillRunningError);
  await assert.rejects(kairos.reschedule(ids[0], { delay: 1 }), ConflictError);
});

test("a batch counts its tasks", async () => {
  const batch = await kairos.createBatch(`${handler}.x`);
  await kairos.scheduleAll([1, 2, 3].map(() => to("x", { delay: "1h", batch: batch.id })));
  assert.equal((await kairos.closeBatch(batch.id)).total, 3);
  assert.equal(await kairos.cancelBatch(batch.id), 3);
  assert.equal((await kairos.getBatch(batch.id)).cancelled, 3);
  const listed = [];
  for await (const one of kairos.listBatches(`${handler}.x`)) {
    listed.push(one.id);
  }
  assert.deepEqual(listed, [batch.id]);
});

test("errors name what was wrong", async () => {
  await assert.rejects(kairos.schedule(to("x", { priority: 101 })), (e) => e instanceof InvalidRequestError && e.field === "priority");
  await assert.rejects(kairos.get("019b76da-a800-7000-8000-000000000004"), NotFoundError);
  for (const [wrong, named] of [
    [{}, /handler/],
    [to("x", { text: "a", payload: Buffer.of(1) }), /payload/],
    [to("x", { payload: "text" }), /payload/],
    [to("x", { json: 1n }), /json/],
    [to("x", { runAt: "tomorrow" }), /runAt/],
    [to("x", { delay: "5 s" }), /delay/],
  ]) {
    await assert.rejects(kairos.schedule(wrong), named);
  }
  assert.throws(() => new KairosClient({ addresses: "node1" }), /address/);
  assert.throws(() => new KairosClient({ addresses: "ftp://node1:1" }), /address/);
  assert.throws(() => new KairosClient({ caFile: "/none" }), /caFile/);
  assert.throws(() => new KairosClient({ certificateFile: "/none" }), /keyFile/);
  assert.throws(() => new Worker({ concurrency: 0 }), /concurrency/);
  assert.throws(() => new Worker().start(), /handler/);
  const worker = new Worker().handle("no such name!", () => undefined);
  worker.start();
  await assert.rejects(worker.join(), (e) => e instanceof InvalidRequestError && /handlers/.test(e.message));
});

test("a node that is away is said to be", async () => {
  const nobody = new KairosClient({ addresses: "127.0.0.1:1" });
  await assert.rejects(nobody.schedule(to("x")), (e) => e instanceof NodesUnavailableError && !e.mayHaveTakenEffect);
  const some = new KairosClient({ addresses: ["127.0.0.1:1", process.env.KAIROS_ADDRESS] });
  await some.schedule(to("x", { delay: "1h" }));
  some.close();
});

test("certificates and a token in a file", async () => {
  const file = (name) => join(process.env.TLS_FOLDER, name);
  const addresses = `https://${process.env.TLS_ADDRESS}`;
  const given = { addresses, caFile: file("node.crt"), certificateFile: file("client.crt"), keyFile: file("client.key") };
  const stranger = new KairosClient({ ...given, token: "wrong" });
  await assert.rejects(stranger.schedule(to("x")), UnauthenticatedError);
  const distrusting = new KairosClient({ addresses, tokenFile: file("token") });
  await assert.rejects(distrusting.schedule(to("x")), (e) => e instanceof NodesUnavailableError && /certificate/.test(e.message));
  const worker = new Worker({ ...given, tokenFile: file("token") }).handle(`${handler}.x`, () => "by TLS");
  worker.start();
  workers.push(worker);
  const known = new KairosClient({ ...given, tokenFile: file("token") });
  assert.equal((await known.result((await known.schedule(to("x"))).id, "30s")).text(), "by TLS");
  [stranger, distrusting, known].forEach((one) => one.close());
});

/** A double of a node that has one task, and says that its lease is lost. */
function losingNode(calls) {
  const work = [{ id: "1", fence: "7", handler: "x", attempt: 1 }];
  const node = createServer((request, response) => {
    request.resume().on("end", () => {
      calls.push({ path: request.url, at: performance.now() });
      const next = { lease: "2s", heartbeatInterval: "0.400s", work: work.splice(0, 1) };
      response.end(JSON.stringify(request.url === "/v1/work:next" ? next : { answers: [{ verdict: "LOST", accepted: false }] }));
    });
  });
  return new Promise((resolve) => node.listen(0, "127.0.0.1", () => resolve(node)));
}

async function stubborn(onLostLease, seconds) {
  const calls = [];
  const node = await losingNode(calls);
  const program = `
    import { Worker } from "kairos-client";
    const worker = new Worker({ addresses: process.argv[1], onLostLease: process.argv[2], log: () => {} });
    worker.handle("x", () => new Promise((resolve) => setTimeout(resolve, 3_000)));
    await worker.run();`;
  const words = ["--input-type=module", "-e", program, `127.0.0.1:${node.address().port}`, onLostLease];
  const child = spawn(process.execPath, words, { cwd: import.meta.dirname ?? new URL(".", import.meta.url).pathname });
  const timer = setTimeout(() => child.kill("SIGKILL"), seconds * 1_000);
  const [code] = await once(child, "exit");
  clearTimeout(timer);
  node.close();
  node.closeAllConnections();
  return { code, calls };
}

test("a handler that goes on without its lease ends the process on request", async () => {
  const { code, calls } = await stubborn("exit", 30);
  assert.equal(code, 70);
  assert.ok(!calls.some((one) => one.path === "/v1/work:result"));
});

test("a handler that goes on without its lease keeps its place and its result is not sent", async () => {
  const { calls } = await stubborn("abandon", 6);
  const [first, second] = calls.filter((one) => one.path === "/v1/work:next");
  assert.ok(second.at - first.at > 2_500, "it asks again only when the handler has returned");
  assert.ok(!calls.some((one) => one.path === "/v1/work:result"));
});
