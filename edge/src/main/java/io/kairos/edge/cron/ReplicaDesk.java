package io.kairos.edge.cron;

import io.kairos.engine.replica.ClientId;
import io.kairos.engine.replica.SubmissionResult;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * The port from the edge to its replica. Called on any thread; nothing blocks. Every future
 * completes, with {@link ReplicaStoppedException} when the replica does not serve.
 */
public interface ReplicaDesk {
  /**
   * Runs a question on the log's thread, between two requests. It must not take longer than an
   * action may. Its exception fails the future and leaves the replica unharmed.
   */
  <T> CompletableFuture<T> read(Function<ReplicaView, T> question);

  /** Submits a request, see {@link io.kairos.engine.replica.ReplicatedLog#submit}. */
  CompletableFuture<SubmissionResult> submit(ClientId client, long request, byte[] command);

  /** The replica's cluster, number, peers and leader. */
  ReplicaFacts facts();
}
