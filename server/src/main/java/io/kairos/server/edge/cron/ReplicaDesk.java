package io.kairos.server.edge.cron;

import io.kairos.engine.replica.ClientId;
import io.kairos.engine.replica.Submitted;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * What the edge asks of its replica. Any thread; nothing blocks. Every future ends, with {@link
 * ReplicaStoppedException} when the replica serves nothing.
 */
public interface ReplicaDesk {
  /**
   * Asks a question on the log's thread, between two requests; it takes no longer than an action
   * may. What it throws fails the future and does no harm to the replica.
   */
  <T> CompletableFuture<T> read(Function<ReplicaSight, T> question);

  /** Has a request executed, see {@link io.kairos.engine.replica.ReplicatedLog#submit}. */
  CompletableFuture<Submitted> submit(ClientId client, long request, byte[] command);

  /** Where it is, and who else is there. */
  ReplicaFacts facts();
}
