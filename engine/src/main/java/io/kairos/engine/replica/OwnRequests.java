package io.kairos.engine.replica;

import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * Submits a replica's own requests under one client id, one at a time. Used by the log's thread.
 *
 * <p>Request numbers grow by random steps, because a restarted replica meets requests of its
 * earlier lives in the log, and none of them may be taken for a request of this life.
 */
public final class OwnRequests {
  private static final long LEAP = 1L << 30;

  private final ReplicatedLog log;
  private final ClientId client;
  private final RandomGenerator random;
  private long request;
  private boolean isPending;

  public OwnRequests(ReplicatedLog log, ClientId client, RandomGenerator random) {
    this.log = log;
    this.client = client;
    this.random = random;
  }

  /** True while the last request has no answer. */
  public boolean isPending() {
    return isPending;
  }

  /** Submits a request; throws {@link IllegalStateException} while one is pending. */
  public void submit(byte[] command, Consumer<SubmissionResult> answered) {
    if (isPending) {
      throw new IllegalStateException(client + " has a request that is pending");
    }
    isPending = true;
    request = Math.max(request, log.lastRequest(client)) + 1 + random.nextLong(LEAP);
    log.submit(
        client,
        request,
        command,
        answer -> {
          isPending = false;
          answered.accept(answer);
        });
  }
}
