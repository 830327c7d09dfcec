package io.kairos.client.worker;

import io.kairos.api.text.ProtoTime;
import io.kairos.api.v1.LeaveRequest;
import io.kairos.api.v1.LeaveResponse;
import io.kairos.api.v1.NextWorkRequest;
import io.kairos.api.v1.NextWorkResponse;
import io.kairos.api.v1.SetResultRequest;
import io.kairos.api.v1.SetResultResponse;
import io.kairos.api.v1.Work;
import io.kairos.client.net.CallRefusal;
import io.kairos.client.worker.ResultOutbox.Finished;
import io.kairos.client.worker.TaskDemand.Ask;
import io.kairos.client.worker.WorkerBoard.Plan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the calls that the {@link WorkerBoard} plans, and passes their answers back. It has no
 * thread; it runs on the threads of executors, answers and the timer.
 */
final class WorkerController {
  private static final Logger LOG = LoggerFactory.getLogger(WorkerController.class);

  /** Time that a node may need in addition to the requested wait. */
  private static final Duration ANSWER_TIME = Duration.ofSeconds(5);

  /** Payload bytes of one answer; {@link io.kairos.client.net.NodeChannels} accepts far more. */
  private static final long MOST_BYTES = 8 << 20;

  private static final Duration WAIT_BEFORE_TERMS = Duration.ofSeconds(1);
  private static final Duration SHORT_PAUSE = Duration.ofMillis(50);
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);

  private final Identity identity;
  private final WorkerBoard board;
  private final LeaseHeartbeats.Wire wire;
  private final Consumer<LeaseTerms> newTerms;
  private final Runnable over;
  private final WorkerListener listener;

  private volatile Duration wait = WAIT_BEFORE_TERMS;

  /**
   * @param newTerms is notified of the lease terms of each answer with work
   * @param over called when a drain is complete
   */
  WorkerController(
      Identity identity,
      WorkerBoard board,
      LeaseHeartbeats.Wire wire,
      Consumer<LeaseTerms> newTerms,
      Runnable over,
      WorkerListener listener) {
    this.identity = identity;
    this.board = board;
    this.wire = wire;
    this.newTerms = newTerms;
    this.over = over;
    this.listener = listener;
  }

  /**
   * Name of the worker, the handlers that are ready, the order of its tasks, the grace time, and
   * the tasks that it can perform at a time.
   */
  record Identity(
      String worker,
      Supplier<List<String>> readyHandlers,
      boolean strictPriority,
      Duration grace,
      int slots) {}

  /** Makes the planned wire.calls(). Must not be called with a lock held. */
  void carryOut(Plan plan) {
    plan.asks().forEach(this::ask);
    plan.results().forEach(this::report);
    if (plan.over()) {
      over.run();
    }
  }

  private void again(Duration later) {
    wire.timer().after(later, () -> carryOut(board.plan()));
  }

  private void ask(Ask ask) {
    List<String> handlers = identity.readyHandlers().get();
    if (handlers.isEmpty()) { // since the plan was made
      carryOut(board.arrived(ask, List.of()));
      return;
    }
    Duration asked = wait;
    Duration timeout = asked.plus(ANSWER_TIME);
    long askedAtNanos = wire.time().nanos();
    NextWorkRequest request =
        NextWorkRequest.newBuilder()
            .setWorker(identity.worker())
            .addAllHandlers(handlers)
            .setMaxTasks(ask.maxTasks())
            .setMaxBytes(MOST_BYTES)
            .setWait(ProtoTime.of(asked))
            .setStrictPriority(identity.strictPriority())
            .setHost(WorkerHost.NAME)
            .setVersion(WorkerHost.CLIENT)
            .setSlots(identity.slots())
            .build();
    wire.calls()
        .call(
            ask.node(),
            NextWorkResponse.class,
            request,
            timeout,
            false,
            answer -> {
              works(ask.node());
              long now = wire.time().nanos();
              if (answer.getWorkCount() == 0 && now - askedAtNanos < asked.toNanos() / 4) {
                // The node did not let the call wait; it rests, so that it is not called in a loop.
                again(wire.nodes().failed(ask.node(), now, Duration.ZERO));
              }
              carryOut(board.arrived(ask, held(answer, askedAtNanos, now)));
            },
            refusal -> {
              Duration rest =
                  failing(ask.node(), refusal, "asking for work", lateness(askedAtNanos, timeout));
              carryOut(board.arrived(ask, List.of()));
              again(rest);
            });
  }

  /**
   * Returns the tasks of an answer. Their leases are counted from the request: when this process
   * was suspended while it waited, the age of the answer is unknown.
   */
  private List<LeasedTask> held(NextWorkResponse answer, long askedAtNanos, long now) {
    if (!answer.hasLease()) {
      return List.of();
    }
    LeaseTerms terms =
        LeaseTerms.of(
            ProtoTime.of(answer.getLease()),
            ProtoTime.of(answer.getHeartbeatInterval()),
            identity.grace());
    // An answer without work sets the wait too: nodes serve the longest waiting call, so a worker
    // with shorter waits than the others would never be served.
    wait = terms.pollWait();
    if (answer.getWorkCount() == 0) {
      return List.of();
    }
    newTerms.accept(terms);
    List<LeasedTask> tasks = new ArrayList<>(answer.getWorkCount());
    for (Work work : answer.getWorkList()) {
      tasks.add(new LeasedTask(work, terms, askedAtNanos, now));
    }
    listener.claimed(tasks.size());
    return tasks;
  }

  private void report(List<Finished> batch) {
    SetResultRequest.Builder request = SetResultRequest.newBuilder().setWorker(identity.worker());
    batch.forEach(one -> request.addResults(one.result()));
    long sentAtNanos = wire.time().nanos();
    int node = wire.nodes().next(sentAtNanos);
    wire.calls()
        .call(
            node,
            SetResultResponse.class,
            request.build(),
            ANSWER_TIME,
            false,
            answer -> {
              works(node);
              for (SetResultResponse.Answer one : answer.getAnswersList()) {
                if (!one.getAccepted()) {
                  LOG.atDebug().addKeyValue("why", one.getReason()).log("a result is refused");
                  listener.resultRefused(one.getReason());
                }
              }
              carryOut(board.settled(batch));
            },
            refusal -> {
              Duration rest =
                  failing(node, refusal, "reporting results", lateness(sentAtNanos, ANSWER_TIME));
              if (refusal.code() == CallRefusal.Code.INVALID_ARGUMENT) {
                LOG.atError()
                    .addKeyValue("results", batch.size())
                    .addKeyValue("cause", refusal.text())
                    .log("a node refuses results for ever; their tasks will be performed again");
                carryOut(board.settled(batch));
                return;
              }
              long now = wire.time().nanos();
              Duration pause = wire.nodes().allRest(now) ? rest : SHORT_PAUSE;
              pause = pause.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause;
              board.unsettled(batch, now + pause.toNanos());
              again(pause);
            });
  }

  /**
   * Makes nodes answer the calls that wait for work. Calls at a node that is not reached go on
   * waiting.
   */
  void leave() {
    LeaveRequest request = LeaveRequest.newBuilder().setWorker(identity.worker()).build();
    for (int node : board.nodesAsked()) {
      wire.calls()
          .call(
              node,
              LeaveResponse.class,
              request,
              ANSWER_TIME,
              false,
              left -> {},
              refusal -> {
                LOG.atDebug()
                    .addKeyValue("node", node)
                    .addKeyValue("cause", refusal.text())
                    .log("leaving failed, waits for the answers to open calls");
              });
    }
  }

  private void works(int node) {
    if (wire.nodes().isFailing(node)) {
      LOG.atDebug().addKeyValue("node", node).log("the node answers again");
    }
    wire.nodes().works(node);
  }

  private long lateness(long calledAtNanos, Duration timeout) {
    return wire.time().nanos() - calledAtNanos - timeout.toNanos();
  }

  /**
   * Logs a failure as a warning once, until the node answers again. A call that could not be
   * answered because this process stood still says nothing of the node, and is made again.
   *
   * @param lateNanos time since the call's timeout
   */
  private Duration failing(int node, CallRefusal refusal, String doing, long lateNanos) {
    if (lateNanos >= LeaseHeartbeats.STANDSTILL_NANOS) {
      LOG.atDebug()
          .addKeyValue("node", node)
          .addKeyValue("cause", refusal.text())
          .log("{} failed because this process stood still", doing);
      return SHORT_PAUSE;
    }
    (wire.nodes().isFailing(node) ? LOG.atDebug() : LOG.atWarn())
        .addKeyValue("node", node)
        .addKeyValue("cause", refusal.text())
        .log("{} failed, will be tried again", doing);
    Duration asked = refusal.retryAfter();
    return wire.nodes().failed(node, wire.time().nanos(), asked == null ? Duration.ZERO : asked);
  }
}
