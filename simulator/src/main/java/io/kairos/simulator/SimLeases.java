package io.kairos.simulator;

import io.kairos.domain.task.FencedTask;
import io.kairos.engine.task.port.Beat;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The leases of one worker, as the client's {@code Leases} and {@code Heartbeats} keep them: a
 * lease is lost when three heartbeats in a row failed, when the time since the sending of the last
 * acknowledged one is used up, or when a node says so.
 */
final class SimLeases {
  private static final int FAILURES_THAT_STOP = 3;

  private final TaskScenario terms;
  private final Kernel kernel;
  private final Holder holder;
  private final Map<FencedTask, Lease> leases = new LinkedHashMap<>();
  private boolean ticks;

  /** Whose leases they are. */
  interface Holder {
    SimProcess process();

    /** Sends a heartbeat, to one node after the other, within the time of one. */
    void send(List<FencedTask> tasks);

    void lost(FencedTask task);

    void cancelRequested(FencedTask task);
  }

  private static final class Lease {
    long extendedAtNanos;
    long beatAtNanos;
    int failedBeats;

    Lease(long askedAtNanos) {
      extendedAtNanos = askedAtNanos;
      beatAtNanos = askedAtNanos;
    }
  }

  SimLeases(TaskScenario terms, Kernel kernel, Holder holder) {
    this.terms = terms;
    this.kernel = kernel;
    this.holder = holder;
  }

  /** Counted from the asking, so that it ends here before it ends in the store. */
  void add(FencedTask task, long askedAtNanos) {
    leases.put(task, new Lease(askedAtNanos));
    if (!ticks) {
      ticks = true;
      kernel.tell(holder.process(), terms.tickNanos(), this::tick);
    }
  }

  void remove(FencedTask task) {
    leases.remove(task);
  }

  boolean isSafe(FencedTask task) {
    Lease lease = leases.get(task);
    return lease != null && isSafe(lease);
  }

  private boolean isSafe(Lease lease) {
    return kernel.nowNanos() - lease.extendedAtNanos < terms.safeNanos();
  }

  private void tick() {
    List<FencedTask> expired = new ArrayList<>();
    List<FencedTask> beat = new ArrayList<>();
    leases.forEach((task, lease) -> {
      if (!isSafe(lease)) {
        expired.add(task);
      } else if (kernel.nowNanos() - lease.beatAtNanos
          >= terms.intervalNanos() - terms.intervalNanos() / 8) {
        lease.beatAtNanos = kernel.nowNanos();
        beat.add(task);
      }
    });
    expired.forEach(this::lose);
    if (!beat.isEmpty()) {
      holder.send(beat);
    }
    ticks = !leases.isEmpty();
    if (ticks) {
      kernel.tell(holder.process(), terms.tickNanos(), this::tick);
    }
  }

  private void lose(FencedTask task) {
    if (leases.remove(task) != null) {
      holder.lost(task);
    }
  }

  void acknowledged(List<FencedTask> tasks, List<Beat> beats, long sentAtNanos) {
    for (int i = 0; i < tasks.size(); i++) {
      FencedTask task = tasks.get(i);
      Lease lease = leases.get(task);
      if (lease == null) {
        continue; // settled meanwhile
      }
      switch (beats.get(i)) {
        case LOST -> lose(task);
        case EXTENDED -> extend(lease, sentAtNanos);
        case CANCEL_REQUESTED -> {
          extend(lease, sentAtNanos);
          holder.cancelRequested(task);
        }
      }
    }
  }

  private static void extend(Lease lease, long sentAtNanos) {
    lease.failedBeats = 0;
    lease.extendedAtNanos = Math.max(lease.extendedAtNanos, sentAtNanos);
  }

  void failed(List<FencedTask> tasks) {
    for (FencedTask task : tasks) {
      Lease lease = leases.get(task);
      if (lease != null && ++lease.failedBeats >= FAILURES_THAT_STOP) {
        lose(task);
      }
    }
  }
}
