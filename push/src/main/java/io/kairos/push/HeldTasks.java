package io.kairos.push;

import io.kairos.domain.task.AttemptOutcome;
import io.kairos.domain.task.FencedTask;
import io.kairos.engine.task.edge.AnswerCallback;
import io.kairos.engine.task.edge.AttemptReport;
import io.kairos.engine.task.edge.ClaimedTask;
import io.kairos.engine.task.port.HeartbeatFinding;
import io.kairos.push.HeldTask.End;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The tasks that a pool's worker holds. Extends their leases and reports their ends. {@link #tend}
 * is called by one loop and never blocks; the other methods are thread-safe.
 */
final class HeldTasks {
  private static final int MOST_AT_ONCE = 1_000;

  private final PushPorts ports;
  private final AtomicLong allBytes;
  private final AtomicLong ownBytes = new AtomicLong();
  private final Runnable room;
  private final Map<FencedTask, HeldTask> held = new ConcurrentHashMap<>();

  /**
   * Starts without tasks.
   *
   * @param allBytes bytes of payloads and answers in flight, of all pools
   * @param room called when there is room for another task
   */
  HeldTasks(PushPorts ports, AtomicLong allBytes, Runnable room) {
    this.ports = ports;
    this.allBytes = allBytes;
    this.room = room;
  }

  int size() {
    return held.size();
  }

  /** Bytes of payloads and answers of this pool in flight. */
  long bytes() {
    return ownBytes.get();
  }

  /** Adds a task that has just been claimed. */
  HeldTask add(ClaimedTask work) {
    HeldTask mine = new HeldTask(work, ports.monotonic().nanos());
    held.put(work.task(), mine);
    count(work.details().bytes());
    return mine;
  }

  private void count(long more) {
    allBytes.addAndGet(more);
    ownBytes.addAndGet(more);
  }

  /** Takes room for so many bytes of the answer to a task, until the task is forgotten. */
  boolean takeRoom(HeldTask one, long more) {
    if (allBytes.get() + more > ports.caller().config().maxBytes() || !one.takeRoom(more)) {
      return false;
    }
    count(more);
    return true;
  }

  private void forget(HeldTask one) {
    if (held.remove(one.task(), one)) {
      count(-one.work().details().bytes() - one.giveRoomBack());
      room.run();
    }
  }

  /** Ends a task and reports the end, unless it has ended before. */
  void ended(HeldTask one, End how) {
    if (one.end(how)) {
      tell(one);
    }
  }

  /**
   * Reports the end of a task to the store, and forgets the task when the store has answered; after
   * a failure {@link #tend} reports it again.
   */
  private void tell(HeldTask one) {
    End end = one.end();
    if (end == null || !one.tell()) {
      return;
    }
    boolean offered =
        switch (end) {
          case End.With(AttemptOutcome outcome) ->
              ports
                  .tasks()
                  .report(
                      List.of(new AttemptReport(one.task(), outcome)),
                      AnswerCallback.of(_ -> forget(one), _ -> one.notTold()));
          case End.Later(var atMost) ->
              ports
                  .tasks()
                  .heartbeat(
                      List.of(one.task()),
                      atMost,
                      AnswerCallback.of(
                          _ -> {
                            ports.events().happened(PushEvents.Counted.GOES_ON);
                            forget(one);
                          },
                          _ -> one.notTold()));
        };
    if (!offered) {
      one.notTold();
    }
  }

  /** Extends the leases, and reports again the ends that the store does not have. */
  void tend() {
    long now = ports.monotonic().nanos();
    long kept = ports.tasks().lease().minus(ports.tasks().heartbeatInterval()).toNanos();
    List<HeldTask> alive = new ArrayList<>();
    for (HeldTask one : held.values()) {
      if (now - one.leaseSinceNanos() > kept) {
        one.abandon();
        ports.events().happened(PushEvents.Counted.LOST);
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

  private void beat(List<HeldTask> some, long sentNanos) {
    List<HeldTask> sent = List.copyOf(some);
    var _ =
        ports
            .tasks()
            .heartbeat(
                sent.stream().map(HeldTask::task).toList(),
                AnswerCallback.of(
                    results -> {
                      for (int i = 0; i < results.size(); i++) {
                        heard(sent.get(i), results.get(i).beat(), sentNanos);
                      }
                    },
                    _ -> {})); // the lease is still valid; the next round sends another heartbeat
  }

  private void heard(HeldTask one, HeartbeatFinding beat, long sentNanos) {
    switch (beat) {
      case EXTENDED -> one.renewed(sentNanos);
      case CANCEL_REQUESTED -> {
        one.renewed(sentNanos);
        if (one.end(new End.With(new AttemptOutcome.Cancelled()))) {
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

  /** Abandons all tasks without a report. */
  void abandon() {
    for (HeldTask one : held.values()) {
      one.abandon();
      forget(one);
    }
  }
}
