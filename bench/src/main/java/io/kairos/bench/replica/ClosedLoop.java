package io.kairos.bench.replica;

import io.kairos.engine.replica.ClientId;
import io.kairos.engine.replica.ReplicatedLog;
import io.kairos.engine.replica.SubmissionResult;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Clients of one replica, each of which sends its next request when the last one was answered, and
 * repeats a request whose outcome is unknown. Used on the log's thread, except for {@link
 * #acknowledged}.
 */
final class ClosedLoop {
  private static final Executor LATER =
      CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS);

  private final ReplicatedLog log;
  private final Supplier<byte[]> commands;
  private final AtomicLong acknowledged = new AtomicLong();
  private long allowed;
  private int waiting;

  /** The last request of each client that was answered as done. */
  private final SortedMap<ClientId, Long> acknowledgedOf = new TreeMap<>();

  private Runnable whenEnded = () -> {};

  /**
   * Clients that ask for nothing before they are started.
   *
   * @param commands of the requests, one after another
   */
  ClosedLoop(ReplicatedLog log, Supplier<byte[]> commands) {
    this.log = log;
    this.commands = commands;
  }

  /**
   * Starts so many clients.
   *
   * @param first the number of the first; of no other replica's
   * @param requests of all of them together, after which they end
   */
  void start(long first, int clients, long requests) {
    allowed = requests;
    for (long client = first; client < first + clients; client++) {
      waiting++;
      acknowledgedOf.put(new ClientId(client), log.lastRequest(new ClientId(client)));
      next(new ClientId(client), log.lastRequest(new ClientId(client)) + 1);
    }
  }

  /** Tells when no client makes another request and the last one was answered. */
  void whenEnded(Runnable ended) {
    whenEnded = ended;
    tellIfEnded();
  }

  /** No client makes another request; tells when the last one was answered. */
  void end(Runnable ended) {
    allowed = 0;
    whenEnded(ended);
  }

  /** The last request of each client that was answered as done, in the order of the clients. */
  List<Long> acknowledgedOf() {
    return List.copyOf(acknowledgedOf.values());
  }

  private void next(ClientId client, long request) {
    if (allowed <= 0) {
      waiting--;
      tellIfEnded();
      return;
    }
    allowed--;
    submit(client, request, commands.get());
  }

  private void submit(ClientId client, long request, byte[] command) {
    log.submit(client, request, command, answer -> answered(client, request, command, answer));
  }

  private void answered(ClientId client, long request, byte[] command, SubmissionResult answer) {
    switch (answer) {
      case SubmissionResult.Done _, SubmissionResult.Stale _ -> {
        acknowledged.incrementAndGet();
        acknowledgedOf.put(client, request);
        next(client, request + 1);
      }
      case SubmissionResult.Refused _, SubmissionResult.Unknown _ ->
          LATER.execute(() -> log.post(() -> submit(client, request, command)));
    }
  }

  private void tellIfEnded() {
    if (waiting == 0) {
      Runnable ended = whenEnded;
      whenEnded = () -> {};
      ended.run();
    }
  }

  /** Requests that were answered as done. Any thread. */
  long acknowledged() {
    return acknowledged.get();
  }
}
