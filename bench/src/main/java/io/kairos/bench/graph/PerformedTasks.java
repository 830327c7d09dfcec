package io.kairos.bench.graph;

import io.kairos.bench.load.LoadPayload;
import io.kairos.bench.report.FigureList;
import io.kairos.bench.report.RunVerdict;
import io.kairos.bench.rig.BenchRig;
import io.kairos.bench.task.TaskStoreCount;
import io.kairos.client.KairosClient;
import io.kairos.client.TaskRequest;
import io.kairos.client.task.PayloadCodec;
import io.kairos.client.worker.Worker;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;

/**
 * Numbered tasks of one part of a run, and what the worker in this process notes of each. Scheduled
 * by any threads; the worker's threads note.
 */
final class PerformedTasks {
  private static final Duration CALL_TIMEOUT = Duration.ofMinutes(2);

  final KairosClient client;
  private final BenchRig rig;
  private final LoadPayload payload;
  private final AtomicIntegerArray performed;

  /** When each began first and ended last; 0 before that. */
  private final AtomicLongArray beganNanos;

  private final AtomicLongArray endedNanos;

  PerformedTasks(BenchRig rig, int tasks, int payloadBytes) {
    this.rig = rig;
    client =
        rig.keep(
            rig.access()
                .apply(KairosClient.builder(rig.addresses()))
                .callTimeout(CALL_TIMEOUT)
                .build());
    payload = LoadPayload.ofNewRun(payloadBytes);
    performed = new AtomicIntegerArray(tasks);
    beganNanos = new AtomicLongArray(tasks);
    endedNanos = new AtomicLongArray(tasks);
  }

  /** A worker that is not started yet. */
  Worker worker(int executors, String... handlers) {
    Worker worker =
        rig.access().apply(Worker.builder(rig.addresses()).concurrency(executors)).build();
    for (String handler : handlers) {
      worker.handle(handler, PayloadCodec.bytes(), (bytes, _) -> perform(bytes));
    }
    return worker;
  }

  private void perform(byte[] bytes) {
    int sequence = (int) LoadPayload.sequence(bytes);
    beganNanos.compareAndSet(sequence, 0, System.nanoTime());
    performed.incrementAndGet(sequence);
    endedNanos.set(sequence, System.nanoTime());
  }

  /** Begins the request for a task. */
  TaskRequest.Builder request(String handler, int sequence) {
    return TaskRequest.to(handler).payload(payload.value(sequence, 0));
  }

  boolean isPerformed(int sequence) {
    return endedNanos.get(sequence) != 0;
  }

  /** How many of a range have been performed. */
  int performed(int from, int until) {
    return (int) IntStream.range(from, until).filter(this::isPerformed).count();
  }

  long beganNanos(int sequence) {
    return beganNanos.get(sequence);
  }

  long endedNanos(int sequence) {
    return endedNanos.get(sequence);
  }

  /** When the last of a range ended. */
  long lastEndNanos(int from, int until) {
    return IntStream.range(from, until).mapToLong(endedNanos::get).max().orElse(0);
  }

  /**
   * Accounts for all that were scheduled: performed once, and nothing is left in the store.
   *
   * @param key of the figures
   * @param early tasks that began before one that they wait for had ended
   */
  void account(String key, int scheduled, long early, FigureList figures, RunVerdict verdict)
      throws SQLException {
    long unfinished = TaskStoreCount.unfinished(rig.connect());
    long lost = (long) scheduled - performed(0, performed.length());
    long duplicated =
        IntStream.range(0, performed.length())
            .map(sequence -> Math.max(0, performed.get(sequence) - 1))
            .sum();
    figures
        .row("tasks")
        .count(key + ".scheduled", "scheduled", scheduled)
        .count(key + ".lost", "lost", lost)
        .count(key + ".duplicated", "performed twice", duplicated)
        .count(key + ".early", "early", early)
        .count(key + ".unfinished", "left in the store", unfinished);
    verdict
        .demand(lost == 0, "tasks were lost")
        .demand(duplicated == 0, "tasks were performed twice")
        .demand(early == 0, "tasks began before their predecessors had ended")
        .demand(unfinished == 0, "tasks are left in the store");
  }
}
