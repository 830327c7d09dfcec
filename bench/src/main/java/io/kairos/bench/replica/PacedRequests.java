package io.kairos.bench.replica;

import io.kairos.engine.replica.ClientId;
import io.kairos.engine.replica.ReplicatedLog;
import io.kairos.engine.replica.SubmissionResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Requests at a steady pace, each of a client of its own, so that one that takes long holds up no
 * other and is counted from when it was due.
 */
final class PacedRequests {
  private final ReplicatedLog log;
  private final byte[] command;

  PacedRequests(ReplicatedLog log, byte[] command) {
    this.log = log;
    this.command = command;
  }

  /**
   * Starts to send.
   *
   * @param firstClient number of the first request's client; the others follow
   * @param answered gets microseconds from when each request was due to its answer, on the log's
   *     thread
   */
  void start(long firstClient, Duration every, int requests, Consumer<List<Long>> answered) {
    List<Long> micros = new ArrayList<>();
    long beginNanos = System.nanoTime();
    Thread.ofPlatform()
        .name("pace")
        .daemon()
        .start(() -> {
          for (int number = 0; number < requests; number++) {
            long dueNanos = beginNanos + every.toNanos() * number;
            for (long left = dueNanos - System.nanoTime();
                left > 0;
                left = dueNanos - System.nanoTime()) {
              LockSupport.parkNanos(left);
            }
            submit(
                new ClientId(firstClient + number),
                () -> {
                  micros.add(TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - dueNanos));
                  if (micros.size() == requests) {
                    answered.accept(List.copyOf(micros));
                  }
                });
          }
        });
  }

  /** Submits until it is done: an answer that it is not known to be is part of what it takes. */
  private void submit(ClientId client, Runnable done) {
    log.submit(
        client,
        1,
        command,
        answer -> {
          switch (answer) {
            case SubmissionResult.Done _, SubmissionResult.Stale _ -> done.run();
            case SubmissionResult.Refused _, SubmissionResult.Unknown _ ->
                log.post(() -> submit(client, done));
          }
        });
  }
}
