package io.kairos.bench.credential;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.grpc.Grpc;
import io.kairos.bench.load.BenchWait;
import io.kairos.client.KairosClient;
import io.kairos.client.TaskQuery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A client of an application that calls every few seconds. Its connections are closed in between,
 * so each call has a handshake by the files as they are. A thread of its own, until it is closed.
 */
public final class ReconnectingCaller implements AutoCloseable {
  private static final Duration PACE = Duration.ofMillis(2_500);
  private static final int IDLE_SECONDS = 1;

  private final String who;
  private final KairosClient client;
  private final Thread thread;
  private volatile boolean ended;

  @GuardedBy("this")
  private final List<String> failures = new ArrayList<>();

  @GuardedBy("this")
  private int calls;

  /** Begins to call, by a client that is not used otherwise. */
  public ReconnectingCaller(String who, KairosClient.Builder builder) {
    this.who = who;
    this.client =
        builder
            .transport((address, credentials) ->
                Grpc.newChannelBuilder(address, credentials)
                    .idleTimeout(IDLE_SECONDS, TimeUnit.SECONDS))
            .build();
    this.thread = Thread.ofPlatform().name("bench-" + who).daemon().start(this::run);
  }

  private void run() {
    while (!ended) {
      String failure = "";
      try {
        client.list(TaskQuery.all().handler("nobody"));
      } catch (RuntimeException e) {
        failure = who + ": " + e;
      }
      count(failure);
      BenchWait.pass(PACE);
    }
  }

  private synchronized void count(String failure) {
    calls++;
    if (!failure.isEmpty()) {
      failures.add(failure);
    }
  }

  public synchronized int calls() {
    return calls;
  }

  /** One line for each call that failed after all its retries. */
  public synchronized List<String> failures() {
    return List.copyOf(failures);
  }

  /** Ends after the call that is under way. */
  public void end() throws InterruptedException {
    ended = true;
    thread.join();
  }

  @Override
  public void close() {
    ended = true;
    client.close();
  }
}
