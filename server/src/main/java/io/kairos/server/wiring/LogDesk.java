package io.kairos.server.wiring;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.replica.ClientId;
import io.kairos.engine.replica.Submitted;
import io.kairos.server.edge.cron.ReplicaDesk;
import io.kairos.server.edge.cron.ReplicaFacts;
import io.kairos.server.edge.cron.ReplicaSight;
import io.kairos.server.edge.cron.ReplicaStoppedException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Answers for a replica as long as its state is that of the others. Thread-safe. */
final class LogDesk implements ReplicaDesk {
  private static final Duration READ_WITHIN = Duration.ofSeconds(5);

  private final Function<@Nullable ReplicaId, ReplicaFacts> facts;
  private volatile Supplier<Optional<ReplicaId>> leader = Optional::empty;
  private volatile @Nullable ReplicaSight sight;

  @GuardedBy("this")
  private boolean isClosed;

  private volatile String closed = "the replica is starting";

  /**
   * Refuses every call until it is opened.
   *
   * @param facts those that hold under a leader
   */
  LogDesk(Function<@Nullable ReplicaId, ReplicaFacts> facts) {
    this.facts = facts;
  }

  /** From now on calls are answered, unless it has been closed. */
  synchronized void open(ReplicaSight seen, Supplier<Optional<ReplicaId>> knownLeader) {
    leader = knownLeader;
    sight = isClosed ? null : seen;
  }

  /** From now on every call is refused. */
  synchronized void close(String why) {
    closed = why;
    isClosed = true;
    sight = null;
  }

  @Override
  public <T> CompletableFuture<T> read(Function<ReplicaSight, T> question) {
    ReplicaSight open = sight;
    if (open == null) {
      return CompletableFuture.failedFuture(new ReplicaStoppedException(closed));
    }
    // A log that has stopped drops what is posted.
    return CompletableFuture.supplyAsync(() -> question.apply(open), open.log()::post)
        .orTimeout(READ_WITHIN.toMillis(), TimeUnit.MILLISECONDS)
        .exceptionallyCompose(error ->
            CompletableFuture.failedFuture(
                error instanceof TimeoutException
                    ? new ReplicaStoppedException("it did not answer within " + READ_WITHIN)
                    : error));
  }

  @Override
  public CompletableFuture<Submitted> submit(ClientId client, long request, byte[] command) {
    ReplicaSight open = sight;
    if (open == null) {
      return CompletableFuture.failedFuture(new ReplicaStoppedException(closed));
    }
    CompletableFuture<Submitted> answer = new CompletableFuture<>();
    open.log().submit(client, request, command, answer::complete);
    return answer;
  }

  @Override
  public ReplicaFacts facts() {
    return facts.apply(leader.get().orElse(null));
  }
}
