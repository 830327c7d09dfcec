package io.kairos.client.worker;

import io.grpc.Status;
import io.kairos.api.v1.LeaveRequest;
import io.kairos.api.v1.LeaveResponse;
import io.kairos.api.v1.NextWorkRequest;
import io.kairos.api.v1.NextWorkResponse;
import io.kairos.api.v1.SetResultRequest;
import io.kairos.api.v1.SetResultResponse;
import io.kairos.api.v1.Work;
import io.kairos.api.v1.WorkerServiceGrpc;
import io.kairos.client.net.Nodes;
import io.kairos.client.net.Refusal;
import io.kairos.client.time.Time;
import io.kairos.client.time.Timer;
import io.kairos.client.worker.Board.Plan;
import io.kairos.client.worker.Demand.Ask;
import io.kairos.client.worker.Outbox.Finished;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * ATF's controller: makes the calls that the {@link Board} plans, and hands it their answers. Has
 * no thread: it acts on those of executors, answers and the timer.
 */
final class Controller {
  private static final Logger LOG = LoggerFactory.getLogger(Controller.class);

  /** What a node may take beyond the wait that was asked for. */
  private static final Duration ANSWER_TIME = Duration.ofSeconds(5);

  /** Of payload in one answer; {@link io.kairos.client.net.Channels} accepts far more. */
  private static final long MOST_BYTES = 8 << 20;

  private static final Duration WAIT_BEFORE_TERMS = Duration.ofSeconds(1);
  private static final Duration SHORT_PAUSE = Duration.ofMillis(50);
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);

  private final String worker;
  private final Supplier<List<String>> readyHandlers;
  private final Duration grace;
  private final Board board;
  private final Calls calls;
  private final Nodes nodes;
  private final Time time;
  private final Timer timer;
  private final Consumer<Terms> newTerms;
  private final Runnable over;
  private final WorkerListener listener;

  private volatile Duration wait = WAIT_BEFORE_TERMS;

  /**
   * @param newTerms hears for how long claims hold
   * @param over called when a drain is complete
   */
  Controller(
      Identity identity,
      Board board,
      Heartbeats.Wire wire,
      Consumer<Terms> newTerms,
      Runnable over,
      WorkerListener listener) {
    this.worker = identity.worker();
    this.readyHandlers = identity.readyHandlers();
    this.grace = identity.grace();
    this.board = board;
    this.calls = wire.calls();
    this.nodes = wire.nodes();
    this.time = wire.time();
    this.timer = wire.timer();
    this.newTerms = newTerms;
    this.over = over;
    this.listener = listener;
  }

  /** Who asks, and for what. */
  record Identity(String worker, Supplier<List<String>> readyHandlers, Duration grace) {}

  /** Not with a lock held. */
  void carryOut(Plan plan) {
    plan.asks().forEach(this::ask);
    plan.results().forEach(this::report);
    if (plan.over()) {
      over.run();
    }
  }

  private void again(Duration later) {
    timer.after(later, () -> carryOut(board.plan()));
  }

  private void ask(Ask ask) {
    List<String> handlers = readyHandlers.get();
    if (handlers.isEmpty()) { // no longer, since this was planned
      carryOut(board.arrived(ask, List.of()));
      return;
    }
    Duration asked = wait;
    long askedAtNanos = time.nanos();
    NextWorkRequest request =
        NextWorkRequest.newBuilder()
            .setWorker(worker)
            .addAllHandlers(handlers)
            .setMaxTasks(ask.maxTasks())
            .setMaxBytes(MOST_BYTES)
            .setWait(
                com.google.protobuf.Duration.newBuilder()
                    .setSeconds(asked.getSeconds())
                    .setNanos(asked.getNano()))
            .build();
    calls.call(
        ask.node(),
        WorkerServiceGrpc.getNextWorkMethod(),
        request,
        asked.plus(ANSWER_TIME),
        false,
        new Calls.Reply<NextWorkResponse>() {
          @Override
          public void answered(NextWorkResponse answer) {
            works(ask.node());
            long now = time.nanos();
            if (answer.getWorkCount() == 0 && now - askedAtNanos < asked.toNanos() / 4) {
              // It would not let us wait: not to be asked in a tight circle.
              again(nodes.failed(ask.node(), now, Duration.ZERO));
            }
            carryOut(board.arrived(ask, held(answer, askedAtNanos, now)));
          }

          @Override
          public void failed(Refusal refusal) {
            Duration rest = failing(ask.node(), refusal, "asking for work");
            carryOut(board.arrived(ask, List.of()));
            again(rest);
          }
        });
  }

  /**
   * The lease is counted from the asking: when this process was stopped while it waited, the answer
   * is old, and nobody could tell how old.
   */
  private List<Held> held(NextWorkResponse answer, long askedAtNanos, long now) {
    if (!answer.hasLease()) {
      return List.of();
    }
    Terms terms =
        Terms.of(duration(answer.getLease()), duration(answer.getHeartbeatInterval()), grace);
    // Also by an answer without work. A node serves who has waited longest: a worker that never had
    // any and asked again more often than the others would find them before it each time.
    wait = terms.pollWait();
    if (answer.getWorkCount() == 0) {
      return List.of();
    }
    newTerms.accept(terms);
    List<Held> tasks = new ArrayList<>(answer.getWorkCount());
    for (Work work : answer.getWorkList()) {
      tasks.add(new Held(work, terms, askedAtNanos, now));
    }
    listener.claimed(tasks.size());
    return tasks;
  }

  private void report(List<Finished> batch) {
    SetResultRequest.Builder request = SetResultRequest.newBuilder().setWorker(worker);
    batch.forEach(one -> request.addResults(one.result()));
    int node = nodes.next(time.nanos());
    calls.call(
        node,
        WorkerServiceGrpc.getSetResultMethod(),
        request.build(),
        ANSWER_TIME,
        false,
        new Calls.Reply<SetResultResponse>() {
          @Override
          public void answered(SetResultResponse answer) {
            works(node);
            for (SetResultResponse.Answer one : answer.getAnswersList()) {
              if (!one.getAccepted()) {
                LOG.atDebug().addKeyValue("why", one.getReason()).log("a result is refused");
                listener.resultRefused(one.getReason());
              }
            }
            carryOut(board.settled(batch));
          }

          @Override
          public void failed(Refusal refusal) {
            Duration rest = failing(node, refusal, "reporting results");
            if (refusal.status().getCode() == Status.Code.INVALID_ARGUMENT) {
              LOG.atError()
                  .addKeyValue("results", batch.size())
                  .addKeyValue("cause", refusal.text())
                  .log("a node refuses results for ever; their tasks will be performed again");
              carryOut(board.settled(batch));
              return;
            }
            long now = time.nanos();
            Duration pause = nodes.allRest(now) ? rest : SHORT_PAUSE;
            pause = pause.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause;
            board.unsettled(batch, now + pause.toNanos());
            again(pause);
          }
        });
  }

  /** Has the calls answered that wait for work. A node that is not reached lets them wait. */
  void leave() {
    LeaveRequest request = LeaveRequest.newBuilder().setWorker(worker).build();
    for (int node : board.nodesAsked()) {
      calls.call(
          node,
          WorkerServiceGrpc.getLeaveMethod(),
          request,
          ANSWER_TIME,
          false,
          new Calls.Reply<LeaveResponse>() {
            @Override
            public void answered(LeaveResponse answer) {}

            @Override
            public void failed(Refusal refusal) {
              LOG.atDebug()
                  .addKeyValue("node", node)
                  .addKeyValue("cause", refusal.text())
                  .log("leaving failed, waits for the answers to open calls");
            }
          });
    }
  }

  private void works(int node) {
    if (nodes.isFailing(node)) {
      LOG.atDebug().addKeyValue("node", node).log("the node answers again");
    }
    nodes.works(node);
  }

  /** Says so once, until the node answers again. */
  private Duration failing(int node, Refusal refusal, String doing) {
    (nodes.isFailing(node) ? LOG.atDebug() : LOG.atWarn())
        .addKeyValue("node", node)
        .addKeyValue("cause", refusal.text())
        .log("{} failed, will be tried again", doing);
    Duration asked = refusal.retryAfter();
    return nodes.failed(node, time.nanos(), asked == null ? Duration.ZERO : asked);
  }

  private static Duration duration(com.google.protobuf.Duration wire) {
    return Duration.ofSeconds(wire.getSeconds(), wire.getNanos());
  }
}
