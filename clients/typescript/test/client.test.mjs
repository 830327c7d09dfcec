// The TypeScript client on real nodes. KAIROS_ADDRESS names a node; TLS_ADDRESS one that wants a certificate and a token, TLS_FOLDER their files.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { mkdirSync, mkdtempSync, rmSync, rmdirSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { inspect } from "node:util";
import {
  ConflictError,
  ExhaustedError,
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
  UnavailableError,
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
      limits: ["api:stripe", "tenant:acme"],
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
  assert.deepEqual(task.fields.limits, ["api:stripe", "tenant:acme"]);
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

test("a handler that throws nonsense is reported and the worker goes on", async () => {
  const throwing = (thrown) => () => {
    throw thrown;
  };
  work({ later: throwing(new RetryLater("x", { delay: "5 s" })), bare: throwing(Object.create(null)), symbol: throwing(Symbol("x")) });
  for (const [behaviour, text] of [
    ["later", /delay: must be milliseconds/],
    ["bare", /object was thrown of which no more can be said: TypeError/],
    ["symbol", /Symbol\(x\)/],
  ]) {
    const { state, failures } = await ended(to(behaviour, { retryPolicy: { maxAttempts: 1 } }));
    assert.equal(state, "DEAD");
    assert.match(failures[0].error, text);
  }
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
  const said = [];
  const worker = new Worker({ log: (message) => said.push(message) }).handle("no such name!", () => undefined);
  worker.start();
  await assert.rejects(worker.join(), (e) => e instanceof InvalidRequestError && /handlers/.test(e.message));
  assert.match(said.join(), /the worker ends: .*handlers/);
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

test("the last token stays while its file is empty or cannot be read", async (t) => {
  const file = join(mkdtempSync(join(tmpdir(), "kairos-")), "token");
  const tokens = [];
  const node = await double((_path, _body, headers) => {
    tokens.push(headers.authorization);
    return { value: { id: "1" } };
  });
  t.after(node.close);
  writeFileSync(file, "first");
  const client = new KairosClient({ addresses: node.addresses, tokenFile: file });
  t.after(() => client.close());
  const schedule = () => client.schedule({ handler: "h", text: "x" });
  await schedule();
  writeFileSync(file, "");
  await schedule();
  rmSync(file);
  await schedule();
  mkdirSync(file);
  await schedule();
  rmdirSync(file);
  writeFileSync(file, "second");
  utimesSync(file, 1, 1);
  await schedule();
  assert.deepEqual(tokens, ["first", "first", "first", "first", "second"].map((each) => `Bearer ${each}`));
});

/** A double of a node: answers each call as the test says, by status, headers and value. */
async function double(answer) {
  const calls = [];
  const node = createServer((request, response) => {
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", async () => {
      const body = JSON.parse(Buffer.concat(chunks).toString() || "{}");
      calls.push({ path: request.url, at: performance.now(), body, port: request.socket.remotePort });
      const { status = 200, headers = {}, value = {}, hangsUp = false } = await answer(request.url, body, request.headers);
      response.writeHead(status, headers).end(JSON.stringify(value), () => hangsUp && request.socket.end());
    });
  });
  await new Promise((resolve) => node.listen(0, "127.0.0.1", resolve));
  const close = () => {
    node.close();
    node.closeAllConnections();
  };
  return { addresses: `127.0.0.1:${node.address().port}`, calls, close };
}

const TASK = { id: "1", fence: "7", handler: "x", attempt: 1 };

/** A double of a node that has one task, and says that its lease is lost. */
function losingNode(asked) {
  const work = [TASK];
  return double((path) => {
    if (path !== "/v1/work:next") {
      return { value: { answers: [{ verdict: "LOST", accepted: false }] } };
    }
    asked();
    return { value: { lease: "2s", heartbeatInterval: "0.400s", work: work.splice(0, 1) } };
  });
}

test("a long wait is told at once", async () => {
  let status = 503;
  const headers = { "retry-after": "60" };
  const node = await double(() => ({ status, headers, value: { reason: "NOTHING_DONE" } }));
  const begun = performance.now();
  const client = new KairosClient(node);
  await assert.rejects(client.call("GET", "/x"), (e) => e instanceof UnavailableError && e.retryAfter === 60_000);
  await assert.rejects(client.call("GET", "/x"), (e) => e instanceof NodesUnavailableError && e.retryAfter > 50_000 && /not to be called/.test(e.message));
  const other = new KairosClient(node);
  status = 429;
  await assert.rejects(other.call("GET", "/x"), ExhaustedError);
  status = 200;
  await other.call("GET", "/x"); // only the call that was refused waits
  assert.ok(performance.now() - begun < 10_000);
  assert.equal(node.calls.length, 3);
  [client, other, node].forEach((one) => one.close());
});

test("a schedule call whose answer was lost is repeated when that is safe", async () => {
  for (const [request, repeated] of [
    [{ handler: "x" }, false],
    [{ handler: "x", idempotency: { key: "k" } }, false],
    [{ handler: "x", idempotency: { key: "k", period: { unit: "DAY" } } }, false],
    [{ topic: { name: "x" }, idempotency: { key: "k" } }, false],
    [{ handler: "x", idempotency: { key: "k", duration: "1m", onConflict: "REPLACE" } }, false],
    [{ handler: "x", idempotency: { key: "k", duration: "1m" } }, true],
    [{ handler: "x", idempotency: { key: "k", window: "FOREVER" } }, true],
  ]) {
    const statuses = [503, 200];
    const node = await double(() => ({ status: statuses.shift(), value: { id: "1" } }));
    const client = new KairosClient(node);
    if (repeated) {
      assert.equal((await client.schedule(request)).id, "1");
    } else {
      await assert.rejects(client.schedule(request), UnavailableError);
    }
    client.close();
    node.close();
  }
});

test("a connection that was closed while idle is replaced, and a path is never another host", async () => {
  const node = await double(() => ({ hangsUp: true }));
  const client = new KairosClient(node);
  for (const path of ["/x", "//127.0.0.2:1/y", "/z"]) {
    await client.call("GET", path);
  }
  assert.deepEqual(
    node.calls.map((one) => one.path),
    ["/x", "//127.0.0.2:1/y", "/z"],
  );
  await assert.rejects(client.call("GET", "x"), /path/);
  client.close();
  node.close();
});

test("a token that no header can have is refused and never shown", async () => {
  const node = await double(() => ({}));
  for (const wrong of ["secret-token\nX-Other: 1", "secret-token\0", "secret-token-\u20ac"]) {
    for (const token of [wrong, () => wrong]) {
      const call = async () => new KairosClient({ ...node, token }).call("GET", "/x");
      await assert.rejects(call, (e) => /token/.test(e.message) && !inspect(e).includes("secret-token"));
    }
  }
  const client = new KairosClient({ ...node, token: " secret-token\r\n" });
  await client.call("GET", "/x");
  assert.equal(node.calls.length, 1);
  client.close();
  node.close();
});

test("a task that came too late is not begun, and what has no handler fails", async () => {
  const late = [true];
  const node = await double(async (path) => {
    if (path !== "/v1/work:next") {
      return { value: { answers: [{ accepted: true, verdict: "EXTENDED" }] } };
    }
    const work = late.length > 0 ? [TASK] : [{ ...TASK, id: "2", handler: "unknown" }];
    await new Promise((resolve) => setTimeout(resolve, late.pop() ? 450 : 20));
    return { value: { lease: "0.400s", heartbeatInterval: "0.080s", work } };
  });
  const begun = [];
  const worker = new Worker({ ...node, log: () => undefined }).handle("x", (task) => begun.push(task.id));
  worker.start();
  while (!node.calls.some((one) => one.body.results?.some((result) => /no handler/.test(result.retryLater?.error)))) {
    await new Promise((resolve) => setTimeout(resolve, 10)); // a double wakes nobody
  }
  await worker.close();
  assert.deepEqual(begun, []);
  node.close();
});

test("a worker goes on after work that makes no sense", async () => {
  const terms = { lease: "2s", heartbeatInterval: "0.400s" };
  const answers = [{ lease: 5 }, { ...terms, work: "abc" }, { ...terms, work: [null] }, { ...terms, work: [{ ...TASK, fence: "x" }, TASK] }];
  const node = await double((path) => ({ value: path === "/v1/work:next" ? (answers.shift() ?? terms) : {} }));
  const worker = new Worker({ ...node, log: () => undefined });
  const begun = new Promise((resolve) => worker.handle("x", resolve));
  worker.start();
  await begun;
  await worker.close();
  node.close();
});

test("a sleep for longer than a timer of Node may take lasts until the handler is to end", async () => {
  const node = await losingNode(() => undefined);
  const worker = new Worker({ ...node, log: () => undefined });
  const ended = new Promise((resolve) => worker.handle("x", (task) => task.sleep("30d").then(() => resolve("slept"), resolve)));
  worker.start();
  assert.equal((await ended).name, "Cancelled");
  await worker.close();
  node.close();
});

test("a loop that sleeps for no time lets others run", async () => {
  const node = await losingNode(() => undefined);
  const worker = new Worker({ ...node, log: () => undefined });
  const ended = new Promise((resolve) =>
    worker.handle("x", async (task) => {
      let ran = false;
      setTimeout(() => (ran = true));
      for (let rounds = 0; rounds < 10_000 && !ran; rounds++) {
        await task.sleep(0);
      }
      resolve(ran);
    }),
  );
  worker.start();
  assert.equal(await ended, true);
  await worker.close();
  node.close();
});

/** Runs a worker whose handler goes on, until it ends or asks for work again. */
async function stubborn(onLostLease) {
  let asks = 0;
  const node = await losingNode(() => ++asks === 2 && child.kill("SIGKILL"));
  const program = `
    import { Worker } from "kairos-client";
    const worker = new Worker({ addresses: process.argv[1], onLostLease: process.argv[2], log: () => {} });
    worker.handle("x", () => new Promise((resolve) => setTimeout(resolve, 2_000)));
    await worker.run();`;
  const words = ["--input-type=module", "-e", program, node.addresses, onLostLease];
  const child = spawn(process.execPath, words, { cwd: import.meta.dirname ?? new URL(".", import.meta.url).pathname });
  const [code] = await once(child, "exit");
  node.close();
  return { code, calls: node.calls };
}

test("a handler that goes on without its lease ends the process on request", async () => {
  const { code, calls } = await stubborn("exit");
  assert.equal(code, 70);
  assert.ok(!calls.some((one) => one.path === "/v1/work:result"));
});

test("a handler that goes on without its lease keeps its place and its result is not sent", async () => {
  const { calls } = await stubborn("abandon");
  const [first, second] = calls.filter((one) => one.path === "/v1/work:next");
  assert.ok(second.at - first.at > 1_500, "it asks again only when the handler has returned");
  assert.ok(!calls.some((one) => one.path === "/v1/work:result"));
});
