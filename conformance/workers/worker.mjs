// The worker in TypeScript, as the conformance kit starts it: docs/conformance.md.
import { createHash } from "node:crypto";
import { appendFileSync } from "node:fs";
import { FatalFailure, Snooze, Worker } from "kairos-client";

const behaviours = {
  echo: (task) => task.payload,
  digest: (task) => createHash("sha256").update(task.payload).digest("hex"),
  fail: (task) => {
    if (task.attempt < Number(task.text())) {
      throw new RangeError(`conformance: attempt ${task.attempt}`);
    }
    return String(task.attempt);
  },
  fatal: () => {
    throw new FatalFailure("conformance: never");
  },
  snooze: (task) => {
    if (Date.now() < Number(task.text()) * 1_000) {
      throw new Snooze("1s");
    }
  },
  slow: async (task) => {
    const until = performance.now() + Number(task.text()) * 1_000;
    while (performance.now() < until) {
      appendFileSync(process.env.CONFORMANCE_EFFECTS, `${task.id} ${task.fence} ${Date.now()}\n`);
      await task.sleep("50ms");
    }
  },
  large: (task) => new Uint8Array(Number(task.text())),
  progress: async (task) => {
    task.progress(50, "half");
    await task.sleep(`${task.text()}s`);
  },
};

const worker = new Worker({
  name: process.env.KAIROS_WORKER,
  concurrency: Number(process.env.CONFORMANCE_CONCURRENCY),
  drain: `${process.env.CONFORMANCE_DRAIN}s`,
});
for (const name of process.env.CONFORMANCE_HANDLERS.split(",")) {
  worker.handle(name, behaviours[name.slice(name.lastIndexOf(".") + 1)]);
}
await worker.run();
