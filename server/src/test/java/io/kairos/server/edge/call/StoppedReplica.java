package io.kairos.server.edge.call;

import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.replica.ClientId;
import io.kairos.engine.replica.Submitted;
import io.kairos.server.edge.cron.ReplicaDesk;
import io.kairos.server.edge.cron.ReplicaFacts;
import io.kairos.server.edge.cron.ReplicaSight;
import io.kairos.server.edge.cron.ReplicaStoppedException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** A replica of which nothing can be had. */
final class StoppedReplica implements ReplicaDesk {
  @Override
  public <T> CompletableFuture<T> read(Function<ReplicaSight, T> question) {
    return CompletableFuture.failedFuture(new ReplicaStoppedException("this replica has stopped"));
  }

  @Override
  public CompletableFuture<Submitted> submit(ClientId client, long request, byte[] command) {
    return CompletableFuture.failedFuture(new ReplicaStoppedException("this replica has stopped"));
  }

  @Override
  public ReplicaFacts facts() {
    return new ReplicaFacts("stopped", new ReplicaId(0), List.of(), null);
  }
}
