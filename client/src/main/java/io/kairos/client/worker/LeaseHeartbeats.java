package io.kairos.client.worker;

import io.kairos.api.v1.HeartbeatRequest;
import io.kairos.api.v1.HeartbeatResponse;
import io.kairos.api.v1.Progress;
import io.kairos.client.net.NodeTurns;
import io.kairos.client.time.ClientTime;
import io.kairos.client.worker.WorkerBoard.BeatEffect;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Extends leases by heartbeats, and detects lost leases. It has its own thread and connections, so
 * that no amount of work delays it. One tick costs a pass over all leases. A heartbeat goes to one
 * node, and to the next within the same timeout when that node cannot be reached.
 */
final class LeaseHeartbeats {
  private static final Logger LOG = LoggerFactory.getLogger(LeaseHeartbeats.class);

  /** Of one heartbeat, which must not be too large for a node: leases are what it is for. */
  private static final int MOST_PROGRESS_BYTES = 256 << 10;

  private static final Duration TICK_BEFORE_TERMS = Duration.ofMillis(125);

  /**
   * A heartbeat that is late by so much is so because this process, or its machine, did not run.
   */
  static final long STANDSTILL_NANOS = Duration.ofSeconds(1).toNanos();

  private final String worker;
  private final WorkerBoard board;
  private final Wire wire;
  private final RunTermination termination;
  private final Consumer<WorkerBoard.Plan> plans;
  private final WorkerListener listener;

  private volatile Duration tick = TICK_BEFORE_TERMS;

  /** When the next tick should begin. Touched by the ticks alone, one after the other. */
  private long tickDueNanos;

  LeaseHeartbeats(
      String worker,
      WorkerBoard board,
      Wire wire,
      RunTermination termination,
      Consumer<WorkerBoard.Plan> plans,
      WorkerListener listener) {
    this.worker = worker;
    this.board = board;
    this.wire = wire;
    this.termination = termination;
    this.plans = plans;
    this.listener = listener;
  }

  /** Access to the nodes, with the clock and the timer for later actions. */
  record Wire(WorkerNodeCalls calls, NodeTurns nodes, ClientTime time, HeldTimer timer) {}

  void start() {
    tickDueNanos = wire.time().nanos();
    tick();
  }

  /** Sets the tick by the lease terms of the latest answer. */
  void keep(LeaseTerms terms) {
    tick = terms.tick();
  }

  private void tick() {
    long now = wire.time().nanos();
    String why = whyExpired(now - tickDueNanos, wire.timer().takeHeldNanos());
    Duration next = tick;
    tickDueNanos = now + next.toNanos();
    try {
      effect(board.expired(), why);
      for (List<LeasedTask> beat : board.beats()) {
        send(beat);
      }
    } finally {
      wire.timer().after(next, this::tick);
    }
  }

  /**
   * Returns why leases have run out.
   *
   * @param lateNanos lateness of this tick
   * @param heldNanos part of it for which this thread was held up by code that it called
   */
  private static String whyExpired(long lateNanos, long heldNanos) {
    if (lateNanos < STANDSTILL_NANOS) {
      return "its time was up without an acknowledged heartbeat";
    }
    if (lateNanos - heldNanos < STANDSTILL_NANOS) {
      return "the worker's listener, haltBy or isReady of a handler held up the heartbeats for about "
          + seconds(heldNanos);
    }
    return "this process stood still for about "
        + seconds(lateNanos - heldNanos)
        + ", as at a debugger's breakpoint or when it is suspended";
  }

  private static String seconds(long nanos) {
    return Duration.ofNanos(nanos).plusMillis(500).toSeconds() + " s";
  }

  private void send(List<LeasedTask> beat) {
    HeartbeatRequest.Builder request = HeartbeatRequest.newBuilder().setWorker(worker);
    int progressBytes = 0;
    for (LeasedTask one : beat) {
      HeartbeatRequest.Held.Builder held =
          request.addHeldBuilder().setId(one.work.getId()).setFence(one.work.getFence());
      HandlerRun run = one.run;
      Progress said = run == null ? null : run.unsentProgress();
      if (said != null && progressBytes < MOST_PROGRESS_BYTES) { // else with the next heartbeat
        held.setProgress(said);
        progressBytes += said.getSerializedSize();
      }
    }
    // The shortest interval counts, because a late answer is late for all leases.
    long timeoutNanos = beat.get(0).terms.intervalNanos();
    for (LeasedTask one : beat) {
      timeoutNanos = Math.min(timeoutNanos, one.terms.intervalNanos());
    }
    new Beat(beat, request.build(), Duration.ofNanos(timeoutNanos / 5 * 4), wire.time().nanos())
        .tryNode(1);
  }

  private void effect(BeatEffect effect, String why) {
    termination.carryOut(effect, why);
    plans.accept(effect.plan());
  }

  private static void tellFirst(List<HeartbeatResponse.Answer> answers) {
    answers.stream()
        .map(HeartbeatResponse.Answer::getReason)
        .filter(reason -> !reason.isEmpty())
        .findFirst()
        .ifPresent(reason -> LOG.atInfo().addKeyValue("first", reason).log("leases were lost"));
  }

  /** One heartbeat, sent to one node after the other until one answers. */
  private final class Beat {
    private final List<LeasedTask> tasks;
    private final HeartbeatRequest request;
    private final Duration timeout;
    private final long sentAtNanos;

    Beat(List<LeasedTask> tasks, HeartbeatRequest request, Duration timeout, long sentAtNanos) {
      this.tasks = tasks;
      this.request = request;
      this.timeout = timeout;
      this.sentAtNanos = sentAtNanos;
    }

    private void progressNoted() {
      for (int i = 0; i < tasks.size(); i++) {
        HandlerRun run = tasks.get(i).run;
        if (run != null && request.getHeld(i).hasProgress()) {
          run.progressNoted(request.getHeld(i).getProgress());
        }
      }
    }

    void tryNode(int attempt) {
      long now = wire.time().nanos();
      int node = wire.nodes().next(now);
      boolean last = attempt >= wire.nodes().count();
      Duration rest = timeout.minusNanos(now - sentAtNanos);
      wire.calls()
          .call(
              node,
              HeartbeatResponse.class,
              request,
              rest,
              last,
              answer -> {
                wire.nodes().works(node);
                List<HeartbeatResponse.Answer> answers = answer.getAnswersList();
                List<HeartbeatResponse.Verdict> verdicts =
                    answers.stream().map(HeartbeatResponse.Answer::getVerdict).toList();
                BeatEffect effect = board.acknowledged(tasks, verdicts, sentAtNanos);
                effect(effect, "a node said that another worker holds the task, or none");
                progressNoted();
                if (!effect
                    .lost()
                    .isEmpty()) { // empty when a result has crossed with this heartbeat
                  tellFirst(answers);
                }
                listener.heartbeat(tasks.size(), true);
              },
              refusal -> {
                long failedAt = wire.time().nanos();
                long lateNanos = failedAt - sentAtNanos - timeout.toNanos();
                if (lateNanos < STANDSTILL_NANOS) { // else it says nothing of the node
                  wire.nodes().failed(node, failedAt, Duration.ZERO);
                }
                if (refusal.isUnavailable() && !last && lateNanos < 0) {
                  tryNode(attempt + 1);
                  return;
                }
                // After a standstill the loss of these leases has been logged.
                (board.holdsAny(tasks) ? LOG.atWarn() : LOG.atDebug())
                    .addKeyValue("tasks", tasks.size())
                    .addKeyValue("cause", refusal.text())
                    .log("a heartbeat failed");
                effect(board.beatFailed(tasks), "three heartbeats in a row failed");
                listener.heartbeat(tasks.size(), false);
              });
    }
  }
}
