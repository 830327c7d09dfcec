package io.kairos.edge.call;

import io.kairos.domain.replica.ReplicaId;
import io.kairos.edge.cron.ReplicaDesk;
import io.kairos.edge.cron.ReplicaFacts;
import io.kairos.edge.cron.ReplicaStoppedException;
import io.kairos.edge.cron.ReplicaView;
import io.kairos.engine.replica.ClientId;
import io.kairos.engine.replica.SubmissionResult;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** A replica of which nothing can be had. */
final class StoppedReplica implements ReplicaDesk {
  @Override
  public <T> CompletableFuture<T> read(Function<ReplicaView, T> question) {
    return CompletableFuture.failedFuture(new ReplicaStoppedException("this replica has stopped"));
  }

  @Override
  public CompletableFuture<SubmissionResult> submit(ClientId client, long request, byte[] command) {
    return CompletableFuture.failedFuture(new ReplicaStoppedException("this replica has stopped"));
  }

  @Override
  public ReplicaFacts facts() {
    return new ReplicaFacts("stopped", new ReplicaId(0), List.of(), true, null);
  }
}
