package io.kairos.simulator.replica;

import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.replica.ClientId;
import io.kairos.engine.replica.OrderedExecution;
import io.kairos.engine.replica.ReplicasDivergedException;
import io.kairos.engine.replica.RequestOrigin;
import io.kairos.engine.replica.RequestSubmissions;
import io.kairos.engine.replica.SubmissionResult;
import io.kairos.engine.replica.SubmittingLog;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** The log of one run of a simulated replica. Everything happens on the thread of the timeline. */
final class ReplicaLog extends SubmittingLog {
  private static final RequestSubmissions.Bounds BOUNDS =
      new RequestSubmissions.Bounds(1_000, 1_000, Duration.ofSeconds(10));
  private static final int KEEP_EVERY = 64;
  private static final long SOON_NANOS = 1_000_000;

  private final ReplicaCluster sim;
  private final ReplicaId self;
  private long applied;
  private long frozenUntilNanos;
  private boolean isResending;
  private boolean isDead;

  ReplicaLog(ReplicaCluster sim, ReplicaId self, OrderedExecution execution) {
    super(execution, BOUNDS);
    this.sim = sim;
    this.self = self;
  }

  void comeBack(byte[] snapshot, long index) {
    if (sim.wiring.restoresWhatItKept()) {
      execution.restore(snapshot);
    }
    applied = index;
  }

  @Override
  public ReplicaId self() {
    return self;
  }

  @Override
  public ReplicaGroup cluster() {
    return sim.cluster;
  }

  Optional<byte[]> digestAt(long sequence) {
    return execution.digestAt(sequence);
  }

  /** Number of requests of the order that this log has executed. */
  long applied() {
    return applied;
  }

  void freeze(long nanos) {
    frozenUntilNanos = Math.max(frozenUntilNanos, sim.timeline.nowNanos() + nanos);
  }

  /** Runs something of this replica later: not while it is frozen, and never once it is dead. */
  private void later(long nanos, Runnable action) {
    sim.timeline.after(
        nanos,
        () -> {
          long frozen = frozenUntilNanos - sim.timeline.nowNanos();
          if (frozen > 0) {
            later(frozen, action);
          } else if (!isDead) {
            action.run();
          }
        });
  }

  @Override
  public void submit(
      ClientId client, long request, byte[] command, Consumer<SubmissionResult> answered) {
    if (submissions.submit(client, request, command, answered)) {
      sim.witness().queued(this, client, request);
      later(sim.network.queueNanos(), submissions::takeUp);
      resend();
    }
  }

  /** Resends pending requests. Unlike production, only while some are pending, which is faster. */
  private void resend() {
    if (!isResending && !submissions.isEmpty()) {
      isResending = true;
      later(
          RequestSubmissions.AGAIN_EVERY.toNanos(),
          () -> {
            isResending = false;
            submissions.again();
            resend();
          });
    }
  }

  @Override
  protected void propose(ClientId client, long request, byte[] command, Runnable failed) {
    if (sim.network.drops()) {
      submissions.settle(client, request, new SubmissionResult.Unknown("dropped"));
      return;
    }
    AtomicBoolean isOrdered = new AtomicBoolean();
    sim.propose(self, new RequestOrigin(client, request, self), command, () -> isOrdered.set(true));
    later(
        sim.network.retryNanos(),
        () -> {
          if (!isOrdered.get()) {
            failed.run();
          }
        });
  }

  @Override
  public void onConsumed(ConsumedListener listener) {
    submissions.onConsumed(listener);
  }

  @Override
  public void post(Runnable code) {
    later(0, code);
  }

  @Override
  public long sequence() {
    return execution.sequence();
  }

  /** Executes what there is, some of it now. */
  void catchUp() {
    if (sim.timeline.nowNanos() < frozenUntilNanos) {
      later(0, this::catchUpNow);
    } else if (!isDead) {
      catchUpNow();
    }
  }

  private void catchUpNow() {
    if (applied < sim.order.first() && !installSnapshot()) {
      later(sim.network.retryNanos(), this::catchUpNow);
      return;
    }
    long until = Math.min(sim.order.end(), applied + sim.network.chunk());
    // While it executes, others may agree to forget what comes next, and it may find out that it
    // has diverged from them.
    while (!isDead && applied < until && applied >= sim.order.first()) {
      execute(sim.order.at(applied));
    }
    if (applied < sim.order.end()) {
      later(SOON_NANOS, this::catchUpNow);
    }
  }

  private boolean installSnapshot() {
    ReplicaLog ahead = sim.ahead(self).orElse(null);
    if (ahead == null) {
      return false;
    }
    execution.restore(ahead.execution.snapshot());
    applied = ahead.applied;
    sim.witness().installed(this);
    submissions.restored();
    return true;
  }

  private void execute(ReplicaOrder.Entry entry) {
    long index = applied++;
    if (sim.wiring.passesOver(self, index)) {
      return;
    }
    RequestOrigin origin = sim.wiring.origin(entry.origin(), index);
    long before = execution.sequence();
    SubmissionResult result;
    try {
      result = execution.execute(origin, entry.command());
    } catch (ReplicasDivergedException diverged) { // as with any log, it goes no further
      sim.stop(this, diverged);
      return;
    }
    sim.witness().executed(this, index, result, execution.sequence() != before);
    submissions.settle(entry.origin().client(), entry.origin().request(), result);
    if ((applied + self.number()) % KEEP_EVERY == 0) {
      sim.keep(self, execution.snapshot(), applied);
    }
  }

  void die() {
    isDead = true;
    submissions.end("this replica is closed");
  }

  @Override
  public void close() {
    sim.crash(self);
  }
}
