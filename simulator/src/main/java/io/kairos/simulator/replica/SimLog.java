package io.kairos.simulator.replica;

import io.kairos.domain.replica.Cluster;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.replica.ClientId;
import io.kairos.engine.replica.OrderedExecution;
import io.kairos.engine.replica.OrderedExecution.Checkpoint;
import io.kairos.engine.replica.Origin;
import io.kairos.engine.replica.Pending;
import io.kairos.engine.replica.ReplicasParted;
import io.kairos.engine.replica.ReplicatedLog;
import io.kairos.engine.replica.Submitted;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;

/** One life of a simulated replica. Everything happens in the thread of the timeline. */
final class SimLog implements ReplicatedLog {
  private static final int QUEUE_LIMIT = 1_000;
  private static final int KEEP_EVERY = 64;
  private static final long SOON_NANOS = 1_000_000;

  private final SimCluster sim;
  private final ReplicaId self;
  private final OrderedExecution execution;
  private final Deque<InFlight> queue = new ArrayDeque<>();
  private final TreeMap<ClientId, TreeMap<Long, InFlight>> pending = new TreeMap<>();
  private ConsumedListener consumed = (_, _) -> {};
  private long applied;
  private long frozenUntilNanos;
  private boolean isDead;

  private static final class InFlight {
    private final Origin origin;
    private final byte[] command;
    private final List<Consumer<Submitted>> answered = new ArrayList<>();
    private boolean isQueued = true;

    InFlight(Origin origin, byte[] command) {
      this.origin = origin;
      this.command = command;
    }
  }

  SimLog(SimCluster sim, ReplicaId self, OrderedExecution execution) {
    this.sim = sim;
    this.self = self;
    this.execution = execution;
  }

  void comeBack(byte[] snapshot, long index) {
    if (sim.wiring().restoresWhatItKept()) {
      execution.restore(snapshot);
    }
    applied = index;
  }

  @Override
  public ReplicaId self() {
    return self;
  }

  @Override
  public Cluster cluster() {
    return sim.cluster();
  }

  /** How much of the order it has executed. */
  long applied() {
    return applied;
  }

  OrderedExecution execution() {
    return execution;
  }

  void freeze(long nanos) {
    frozenUntilNanos = Math.max(frozenUntilNanos, sim.timeline().nowNanos() + nanos);
  }

  /** Runs something of this replica later: not while it is frozen, and never once it is dead. */
  private void later(long nanos, Runnable action) {
    sim.timeline()
        .after(
            nanos,
            () -> {
              long frozen = frozenUntilNanos - sim.timeline().nowNanos();
              if (frozen > 0) {
                later(frozen, action);
              } else if (!isDead) {
                action.run();
              }
            });
  }

  @Override
  public void submit(ClientId client, long request, byte[] command, Consumer<Submitted> answered) {
    if (isDead) {
      answered.accept(new Submitted.Unknown("this replica is closed"));
      return;
    }
    Submitted known = execution.answer(client, request).orElse(null);
    if (known != null) {
      post(() -> answered.accept(known));
      return;
    }
    TreeMap<Long, InFlight> ofClient = pending.computeIfAbsent(client, _ -> new TreeMap<>());
    InFlight before = ofClient.get(request);
    if (before != null) {
      before.answered.add(answered);
      return;
    }
    if (queue.size() >= QUEUE_LIMIT) {
      post(() -> answered.accept(new Submitted.Unknown("the queue is full")));
      return;
    }
    sim.witness().queued(this, client, ofClient.size());
    InFlight inFlight = new InFlight(new Origin(client, request, self), command);
    inFlight.answered.add(answered);
    ofClient.put(request, inFlight);
    queue.add(inFlight);
    later(sim.network().queueNanos(), this::takeUp);
  }

  private void takeUp() {
    InFlight next = queue.poll();
    if (next == null) {
      return;
    }
    next.isQueued = false;
    consumed.consumed(next.origin.client(), next.origin.request());
    if (sim.network().drops()) {
      settle(next.origin.client(), next.origin.request(), new Submitted.Unknown("dropped"));
    } else {
      propose(next);
    }
  }

  private void propose(InFlight inFlight) {
    if (pending.getOrDefault(inFlight.origin.client(), new TreeMap<>()).containsValue(inFlight)) {
      sim.propose(self, inFlight.origin, inFlight.command);
      later(sim.network().retryNanos(), () -> propose(inFlight));
    }
  }

  private void settle(ClientId client, long request, Submitted result) {
    TreeMap<Long, InFlight> ofClient = pending.get(client);
    InFlight settled = ofClient == null ? null : ofClient.remove(request);
    if (settled != null) {
      queue.remove(settled);
      settled.answered.forEach(answered -> answered.accept(result));
    }
  }

  @Override
  public Pending pending(ClientId client, long request) {
    InFlight inFlight = pending.getOrDefault(client, new TreeMap<>()).get(request);
    if (inFlight != null) {
      return inFlight.isQueued ? Pending.QUEUED : Pending.ORDERING;
    }
    return execution.lastRequest(client) >= request ? Pending.EXECUTED : Pending.NONE;
  }

  @Override
  public long lastRequest(ClientId client) {
    return execution.lastRequest(client);
  }

  @Override
  public void onConsumed(ConsumedListener listener) {
    consumed = listener;
  }

  @Override
  public void post(Runnable code) {
    later(0, code);
  }

  @Override
  public long sequence() {
    return execution.sequence();
  }

  @Override
  public List<Checkpoint> checkpoints(long after) {
    return execution.checkpoints(after);
  }

  @Override
  public long agreed() {
    return execution.agreed();
  }

  /** Executes what there is, some of it now. */
  void catchUp() {
    if (sim.timeline().nowNanos() < frozenUntilNanos) {
      later(0, this::catchUpNow);
    } else if (!isDead) {
      catchUpNow();
    }
  }

  private void catchUpNow() {
    if (applied < sim.order().first() && !installSnapshot()) {
      later(sim.network().retryNanos(), this::catchUpNow);
      return;
    }
    long until = Math.min(sim.order().end(), applied + sim.network().chunk());
    // While it executes, others may agree to forget what comes next, and it may find out that it
    // has parted from them.
    while (!isDead && applied < until && applied >= sim.order().first()) {
      execute(sim.order().at(applied));
    }
    if (applied < sim.order().end()) {
      later(SOON_NANOS, this::catchUpNow);
    }
  }

  private boolean installSnapshot() {
    SimLog ahead = sim.ahead(self).orElse(null);
    if (ahead == null) {
      return false;
    }
    execution.restore(ahead.execution.snapshot());
    applied = ahead.applied;
    sim.witness().installed(this);
    settleWhatWasExecutedElsewhere();
    return true;
  }

  private void settleWhatWasExecutedElsewhere() {
    for (ClientId client : List.copyOf(pending.keySet())) {
      for (long request : List.copyOf(pending.getOrDefault(client, new TreeMap<>()).keySet())) {
        execution.answer(client, request).ifPresent(answer -> settle(client, request, answer));
      }
    }
  }

  private void execute(SimOrder.Entry entry) {
    long index = applied++;
    if (sim.wiring().passesOver(self, index)) {
      return;
    }
    Origin origin = sim.wiring().origin(entry.origin(), index);
    long before = execution.sequence();
    Submitted result;
    try {
      result = execution.execute(origin, entry.command());
    } catch (ReplicasParted parted) { // as with any log, it goes no further
      sim.stop(this, parted);
      return;
    }
    sim.witness().executed(this, index, result, execution.sequence() != before);
    settle(entry.origin().client(), entry.origin().request(), result);
    if ((applied + self.number()) % KEEP_EVERY == 0) {
      sim.keep(self, execution.snapshot(), applied);
    }
  }

  void die() {
    isDead = true;
    queue.clear();
    List<TreeMap<Long, InFlight>> lost = List.copyOf(pending.values());
    pending.clear();
    for (TreeMap<Long, InFlight> ofClient : lost) {
      for (InFlight inFlight : ofClient.values()) {
        Submitted unknown = new Submitted.Unknown("this replica is closed");
        inFlight.answered.forEach(answered -> answered.accept(unknown));
      }
    }
  }

  @Override
  public void close() {
    sim.crash(self);
  }
}
