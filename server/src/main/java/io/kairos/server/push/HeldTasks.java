package io.kairos.server.push;

import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.Outcome;
import io.kairos.domain.task.PoolName;
import io.kairos.engine.task.Answer;
import io.kairos.engine.task.HeartbeatResult;
import io.kairos.engine.task.Report;
import io.kairos.engine.task.ReportResult;
import io.kairos.engine.task.TaskEdge;
import io.kairos.engine.task.Work;
import io.kairos.engine.task.port.Beat;
import io.kairos.engine.time.Monotonic;
import io.kairos.server.push.Held.End;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The tasks that a pool's worker holds: keeps their leases and says how they have ended. {@link
 * #tend} is called by one loop and never blocks; the rest is thread-safe.
 */
final class HeldTasks {
  private static final int MOST_AT_ONCE = 1_000;

  private final PoolName pool;
  private final TaskEdge tasks;
  private final Monotonic monotonic;
  private final PushEvents events;
  private final AtomicLong allBytes;
  private final AtomicLong ownBytes = new AtomicLong();
  private final Runnable room;
  private final Map<FencedTask, Held> held = new ConcurrentHashMap<>();

  /**
   * Holds nothing yet.
   *
   * @param allBytes under way, of all pools
   * @param room told when there is room for another
   */
  HeldTasks(PoolName pool, PushPorts ports, AtomicLong allBytes, Runnable room) {
    this.pool = pool;
    this.tasks = ports.tasks();
    this.monotonic = ports.monotonic();
    this.events = ports.events();
    this.allBytes = allBytes;
    this.room = room;
  }

  int size() {
    return held.size();
  }

  /** Payloads of this pool that are under way. */
  long bytes() {
    return ownBytes.get();
  }

  /** Has just been claimed. */
  Held add(Work work) {
    Held mine = new Held(work, monotonic.nanos());
    held.put(work.task(), mine);
    count(work.details().bytes());
    return mine;
  }

  private void count(long more) {
    allBytes.addAndGet(more);
    ownBytes.addAndGet(more);
  }

  private void forget(Held one) {
    if (held.remove(one.task(), one)) {
      count(-one.work().details().bytes());
      room.run();
    }
  }

  /** The first end counts. */
  void ended(Held one, End how) {
    if (one.end(how)) {
      tell(one);
    }
  }

  /** Says to the store how it ended; {@link #tend} tries again when that does not work. */
  private void tell(Held one) {
    End end = one.end();
    if (end == null || !one.tell()) {
      return;
    }
    boolean offered =
        switch (end) {
          case End.With(Outcome outcome) ->
              tasks.report(
                  List.of(new Report(one.task(), outcome)),
                  new Told<List<ReportResult>>(one, false));
          case End.Later(var atMost) ->
              tasks.heartbeat(
                  List.of(one.task()), atMost, new Told<List<HeartbeatResult>>(one, true));
        };
    if (!offered) {
      one.notTold();
    }
  }

  /** Hears that the store knows how an attempt ended, or that the task is somebody else's. */
  private final class Told<T> implements Answer<T> {
    private final Held one;
    private final boolean later;

    Told(Held one, boolean later) {
      this.one = one;
      this.later = later;
    }

    @Override
    public void answered(T value) {
      if (later) {
        events.goesOn(pool);
      }
      forget(one);
    }

    @Override
    public void failed(RuntimeException cause) {
      one.notTold();
    }
  }

  /** Keeps the leases, and says again what the store has not taken. */
  void tend() {
    long now = monotonic.nanos();
    long kept = tasks.lease().minus(tasks.heartbeatInterval()).toNanos();
    List<Held> alive = new ArrayList<>();
    for (Held one : held.values()) {
      if (now - one.leaseSinceNanos() > kept) {
        one.abandon();
        events.lost(pool);
        forget(one);
      } else {
        tell(one);
        if (!(one.end() instanceof End.Later)) {
          alive.add(one);
        }
      }
    }
    for (int from = 0; from < alive.size(); from += MOST_AT_ONCE) {
      beat(alive.subList(from, Math.min(alive.size(), from + MOST_AT_ONCE)), now);
    }
  }

  private void beat(List<Held> some, long sentNanos) {
    List<Held> sent = List.copyOf(some);
    var _ =
        tasks.heartbeat(
            sent.stream().map(Held::task).toList(),
            new Answer<>() {
              @Override
              public void answered(List<HeartbeatResult> results) {
                for (int i = 0; i < results.size(); i++) {
                  heard(sent.get(i), results.get(i).beat(), sentNanos);
                }
              }

              @Override
              public void failed(RuntimeException cause) {
                // The lease goes on until it is over; the next round asks again.
              }
            });
  }

  private void heard(Held one, Beat beat, long sentNanos) {
    switch (beat) {
      case EXTENDED -> one.renewed(sentNanos);
      case CANCEL_REQUESTED -> {
        one.renewed(sentNanos);
        if (one.end(new End.With(new Outcome.Cancelled()))) {
          one.abandon();
          tell(one);
        }
      }
      case LOST -> {
        one.abandon();
        forget(one);
      }
    }
  }

  /** Lets all go without a word. */
  void abandon() {
    for (Held one : held.values()) {
      one.abandon();
      forget(one);
    }
  }
}
