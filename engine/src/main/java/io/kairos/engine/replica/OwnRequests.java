package io.kairos.engine.replica;

import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * What a replica submits for itself under one id, a request at a time. On the log's thread.
 *
 * <p>Numbers of requests leap by chance: those of earlier lives are met again on the way through
 * the log, and none may pass for one of this life.
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

  /** Whether the last one has no answer yet. */
  public boolean isPending() {
    return isPending;
  }

  /** Submits one; only when none is pending. */
  public void submit(byte[] command, Consumer<Submitted> answered) {
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
