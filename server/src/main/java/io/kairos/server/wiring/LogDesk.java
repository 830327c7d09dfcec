package io.kairos.server.wiring;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.edge.cron.ReplicaDesk;
import io.kairos.edge.cron.ReplicaFacts;
import io.kairos.edge.cron.ReplicaStoppedException;
import io.kairos.edge.cron.ReplicaView;
import io.kairos.engine.replica.ClientId;
import io.kairos.engine.replica.PeerReport;
import io.kairos.engine.replica.ReplicatedLog;
import io.kairos.engine.replica.SubmissionResult;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Passes calls of the edge to the replica's log while the replica serves. Thread-safe. */
final class LogDesk implements ReplicaDesk {
  private static final Duration READ_WITHIN = Duration.ofSeconds(5);

  private final Function<@Nullable ReplicaId, ReplicaFacts> facts;
  private volatile @Nullable ReplicatedLog log;
  private volatile @Nullable ReplicaView sight;
  private volatile String closed = "the replica is starting";

  @GuardedBy("this")
  private boolean isClosed;

  /**
   * Refuses every call until {@link #open}.
   *
   * @param facts the replica's facts, given the leader that it knows
   */
  LogDesk(Function<@Nullable ReplicaId, ReplicaFacts> facts) {
    this.facts = facts;
  }

  /** Serves calls from now on, unless the desk has been closed. */
  synchronized void open(ReplicaView seen) {
    log = seen.log();
    sight = isClosed ? null : seen;
  }

  /** Refuses every call from now on, for this reason. */
  synchronized void close(String why) {
    closed = why;
    isClosed = true;
    sight = null;
  }

  @Override
  public <T> CompletableFuture<T> read(Function<ReplicaView, T> question) {
    ReplicaView open = sight;
    if (open == null) {
      return CompletableFuture.failedFuture(new ReplicaStoppedException(closed));
    }
    // A stopped log drops posted questions, so the answer needs a timeout.
    return CompletableFuture.supplyAsync(() -> question.apply(open), open.log()::post)
        .orTimeout(READ_WITHIN.toMillis(), TimeUnit.MILLISECONDS)
        .exceptionallyCompose(error ->
            CompletableFuture.failedFuture(
                error instanceof TimeoutException
                    ? new ReplicaStoppedException("it did not answer within " + READ_WITHIN)
                    : error));
  }

  @Override
  public CompletableFuture<SubmissionResult> submit(ClientId client, long request, byte[] command) {
    ReplicaView open = sight;
    if (open == null) {
      return CompletableFuture.failedFuture(new ReplicaStoppedException(closed));
    }
    CompletableFuture<SubmissionResult> answer = new CompletableFuture<>();
    open.log().submit(client, request, command, answer::complete);
    return answer;
  }

  @Override
  public ReplicaFacts facts() {
    ReplicatedLog known = log;
    return facts.apply(known == null ? null : known.leader().orElse(null));
  }

  /** Why requests cannot be expected to be executed at present; empty when they can. */
  Optional<String> obstacle() {
    ReplicatedLog known = log;
    return known == null ? Optional.of(closed) : known.obstacle();
  }

  /** See {@link ReplicatedLog#peerReport}; empty before the log is open, too. */
  Optional<PeerReport> peerReport() {
    ReplicatedLog known = log;
    return known == null ? Optional.empty() : known.peerReport();
  }
}
