package io.kairos.client.worker;

import io.kairos.api.v1.HeartbeatRequest;
import io.kairos.api.v1.HeartbeatResponse;
import io.kairos.api.v1.WorkerServiceGrpc;
import io.kairos.client.net.Nodes;
import io.kairos.client.net.Refusal;
import io.kairos.client.time.Time;
import io.kairos.client.time.Timer;
import io.kairos.client.worker.Board.BeatEffect;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps leases alive, and notices when they are lost. Ticks on a thread of its own and calls over
 * connections of its own, so that no amount of work delays it; a tick costs one pass over what is
 * held. One heartbeat goes to one node; if that cannot be reached, to the next, within the same
 * timeout.
 */
final class Heartbeats {
  private static final Logger LOG = LoggerFactory.getLogger(Heartbeats.class);
  private static final Duration TICK_BEFORE_TERMS = Duration.ofMillis(125);

  private final String worker;
  private final Board board;
  private final Calls calls;
  private final Nodes nodes;
  private final Time time;
  private final Timer timer;
  private final Termination termination;
  private final Consumer<Board.Plan> plans;
  private final WorkerListener listener;

  private volatile Duration tick = TICK_BEFORE_TERMS;

  Heartbeats(
      String worker,
      Board board,
      Wire wire,
      Termination termination,
      Consumer<Board.Plan> plans,
      WorkerListener listener) {
    this.worker = worker;
    this.board = board;
    this.calls = wire.calls();
    this.nodes = wire.nodes();
    this.time = wire.time();
    this.timer = wire.timer();
    this.termination = termination;
    this.plans = plans;
    this.listener = listener;
  }

  /** The way to the nodes, and the thread for what comes later. */
  record Wire(Calls calls, Nodes nodes, Time time, Timer timer) {}

  void start() {
    tick();
  }

  /** How often to look follows from what the nodes said last. */
  void keep(Terms terms) {
    tick = terms.tick();
  }

  private void tick() {
    try {
      effect(board.expired(), "its time was up without an acknowledged heartbeat");
      for (List<Held> beat : board.beats()) {
        send(beat);
      }
    } finally {
      timer.after(tick, this::tick);
    }
  }

  private void send(List<Held> beat) {
    HeartbeatRequest.Builder request = HeartbeatRequest.newBuilder().setWorker(worker);
    for (Held one : beat) {
      request.addHeld(
          HeartbeatRequest.Held.newBuilder().setId(one.work.getId()).setFence(one.work.getFence()));
    }
    // Of the shortest, as one late answer is late for all.
    long timeoutNanos = beat.get(0).terms.intervalNanos();
    for (Held one : beat) {
      timeoutNanos = Math.min(timeoutNanos, one.terms.intervalNanos());
    }
    new Beat(beat, request.build(), Duration.ofNanos(timeoutNanos / 5 * 4), time.nanos())
        .tryNode(1);
  }

  private void effect(BeatEffect effect, String why) {
    termination.carryOut(effect, why);
    plans.accept(effect.plan());
  }

  private static void tellFirst(List<String> reasons) {
    reasons.stream()
        .filter(reason -> !reason.isEmpty())
        .findFirst()
        .ifPresent(
            reason -> LOG.atInfo().addKeyValue("first", reason).log("leases are somebody else's"));
  }

  /** One heartbeat, at one node after the other until one answers. */
  private final class Beat {
    private final List<Held> tasks;
    private final HeartbeatRequest request;
    private final Duration timeout;
    private final long sentAtNanos;

    Beat(List<Held> tasks, HeartbeatRequest request, Duration timeout, long sentAtNanos) {
      this.tasks = tasks;
      this.request = request;
      this.timeout = timeout;
      this.sentAtNanos = sentAtNanos;
    }

    void tryNode(int attempt) {
      long now = time.nanos();
      int node = nodes.next(now);
      boolean last = attempt >= nodes.count();
      Duration rest = timeout.minusNanos(now - sentAtNanos);
      calls.call(
          node,
          WorkerServiceGrpc.getHeartbeatMethod(),
          request,
          rest,
          last,
          new Calls.Reply<HeartbeatResponse>() {
            @Override
            public void answered(HeartbeatResponse answer) {
              nodes.works(node);
              BeatEffect effect = board.acknowledged(tasks, answer.getVerdictsList(), sentAtNanos);
              effect(effect, "a node said that it is somebody else's");
              if (!effect.lost().isEmpty()) { // else a result has crossed with this heartbeat
                tellFirst(answer.getReasonsList());
              }
              listener.heartbeat(tasks.size(), true);
            }

            @Override
            public void failed(Refusal refusal) {
              nodes.failed(node, time.nanos(), Duration.ZERO);
              if (refusal.isUnavailable()
                  && !last
                  && time.nanos() - sentAtNanos < timeout.toNanos()) {
                tryNode(attempt + 1);
                return;
              }
              LOG.atWarn()
                  .addKeyValue("tasks", tasks.size())
                  .addKeyValue("cause", refusal.text())
                  .log("a heartbeat failed");
              effect(board.beatFailed(tasks), "three heartbeats in a row failed");
              listener.heartbeat(tasks.size(), false);
            }
          });
    }
  }
}
