package io.kairos.simulator;

import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.Outcome;
import io.kairos.engine.task.HeartbeatResult;
import io.kairos.engine.task.Report;
import io.kairos.engine.task.ReportResult;
import io.kairos.engine.task.Work;
import io.kairos.engine.task.WorkRequest;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One run of a worker: a model of the client's controller and executors, without its threads. Asks
 * every node for as many tasks as it has places for, performs them for as long as the workload
 * says, keeps their leases, stops what it no longer has the lease of, reports until it is answered.
 */
final class SimWorker implements SimLeases.Holder {
  private static final int BUFFERED = 1;
  private static final long MAX_BYTES = 1 << 20;
  private static final long ANSWER_NANOS = Duration.ofSeconds(5).toNanos();
  private static final long FIRST_REST_NANOS = Duration.ofMillis(100).toNanos();
  private static final long LONGEST_REST_NANOS = Duration.ofSeconds(2).toNanos();
  private static final long REPORTS_AGAIN_NANOS = Duration.ofMillis(200).toNanos();
  private static final long STARTS_AGAIN_NANOS = Duration.ofSeconds(1).toNanos();

  private final TaskWorld world;
  private final Kernel kernel;
  private final WorkerHost host;
  private final String name;
  private final SimProcess process;
  private final SimLeases leases;
  private final List<NodeView> nodes = new ArrayList<>();
  private final Deque<Work> buffer = new ArrayDeque<>();
  private final Map<FencedTask, Run> running = new LinkedHashMap<>();
  private final Map<FencedTask, Outcome> outbox = new LinkedHashMap<>();
  private int asked;
  private int turn;
  private boolean reporting;
  private boolean reportsPaused;
  private boolean draining;
  private boolean hurried;
  private long excusedUntilNanos = Long.MIN_VALUE;

  /** What it knows of a node. */
  private static final class NodeView {
    final SimNode<TaskProcess> node;
    boolean isAsked;
    int failures;
    long restsUntilNanos = Long.MIN_VALUE;

    NodeView(SimNode<TaskProcess> node) {
      this.node = node;
    }
  }

  /** A handler at work. */
  private static final class Run {
    final Work work;
    final TaskTrack.Execution execution;
    final TaskWorkload.Performance performance;
    boolean ended;
    boolean toldToStop;

    Run(Work work, TaskTrack.Execution execution, TaskWorkload.Performance performance) {
      this.work = work;
      this.execution = execution;
      this.performance = performance;
    }
  }

  SimWorker(TaskWorld world, WorkerHost host, String name) {
    this.world = world;
    this.kernel = world.kernel();
    this.host = host;
    this.name = name;
    this.process = new SimProcess(name);
    this.leases = new SimLeases(world.tasks(), kernel, this);
    world.nodes().forEach(node -> nodes.add(new NodeView(node)));
    this.turn = host.random().nextInt(nodes.size());
  }

  /** What a worker says of a task that it was given and will not begin. */
  static Outcome notBegun() {
    return new Outcome.NotBegun();
  }

  @Override
  public SimProcess process() {
    return process;
  }

  void start() {
    world.ledger().note(120, () -> name + " starts");
    plan();
  }

  private void later(long nanos, Runnable action) {
    kernel.tell(process, nanos, action);
  }

  private void plan() {
    while (!draining && ask()) {
      // as many as there are places
    }
    report();
    if (draining && asked == 0 && buffer.isEmpty() && running.isEmpty() && outbox.isEmpty()) {
      exit();
    }
  }

  // Asking

  private boolean ask() {
    int places = host.executors() + BUFFERED;
    int free = places - buffer.size() - running.size() - asked;
    NodeView view = free < 1 ? null : nextToAsk();
    if (view == null) {
      return false;
    }
    int share = Math.min(free, (places + nodes.size() - 1) / nodes.size());
    long askedAtNanos = kernel.nowNanos();
    WorkRequest request = new WorkRequest(name, host.handlers(), share, MAX_BYTES);
    view.isAsked = true;
    asked += share;
    long waitNanos = world.tasks().pollNanos();
    world
        .wire()
        .<List<Work>>call(
            process,
            view.node,
            waitNanos + ANSWER_NANOS,
            (node, call) -> node.nextWork(request, waitNanos, call),
            new Wire.Reply<>() {
              @Override
              public void answered(List<Work> work) {
                view.isAsked = false;
                asked -= share;
                view.failures = 0;
                if (work.isEmpty() && kernel.nowNanos() - askedAtNanos < waitNanos / 4) {
                  rest(view); // it would not let us wait: not to be asked in a tight circle
                }
                work.forEach(one -> arrived(one, askedAtNanos));
                begin();
                plan();
              }

              @Override
              public void failed(boolean hasHappened) {
                view.isAsked = false;
                asked -= share;
                rest(view);
                plan();
              }
            });
    return true;
  }

  private @Nullable NodeView nextToAsk() {
    for (int i = 0; i < nodes.size(); i++) {
      NodeView view = nodes.get((turn + i) % nodes.size());
      if (!view.isAsked && view.restsUntilNanos <= kernel.nowNanos()) {
        turn = (turn + i + 1) % nodes.size();
        return view;
      }
    }
    return null;
  }

  private void rest(NodeView view) {
    long nanos = Math.min(LONGEST_REST_NANOS, FIRST_REST_NANOS << Math.min(view.failures++, 10));
    view.restsUntilNanos = kernel.nowNanos() + nanos;
    later(nanos, this::plan);
  }

  private void arrived(Work work, long askedAtNanos) {
    leases.add(work.task(), askedAtNanos);
    if (hurried) {
      conclude(work.task(), notBegun());
    } else {
      buffer.add(work);
    }
  }

  // Performing

  private void begin() {
    while (running.size() < host.executors() && !buffer.isEmpty()) {
      Work work = buffer.remove();
      if (leases.isSafe(work.task())) {
        begin(work);
      } // else the next look at the leases finds it
    }
  }

  private void begin(Work work) {
    TaskTrack.Execution execution = world.ledger().began(work.task(), this);
    Run run =
        new Run(work, execution, world.workload().performance(execution.task, work.attempt()));
    running.put(work.task(), run);
    if (run.performance.killsWorker()) {
      later(run.performance.nanos(), this::crash);
    } else {
      later(run.performance.nanos(), () -> end(run, run.performance.outcome()));
    }
  }

  private void end(Run run, Outcome outcome) {
    if (run.ended) {
      return;
    }
    run.ended = true;
    FencedTask task = run.work.task();
    running.remove(task);
    world.ledger().ended(run.execution);
    if (leases.isSafe(task) || (run.toldToStop && !world.wiring().workersStopThemselves())) {
      conclude(task, outcome);
    }
    begin();
    plan();
  }

  private void conclude(FencedTask task, Outcome outcome) {
    world.ledger().concluded(task, outcome);
    outbox.put(task, outcome);
  }

  /** Tells a handler to stop; most obey within the time that they have. */
  private void stop(Run run, Outcome outcome) {
    run.toldToStop = true;
    if (!run.performance.isStubborn()) {
      later(host.random().nextLong(world.tasks().graceNanos() * 3 / 4), () -> end(run, outcome));
    }
  }

  // Leases

  @Override
  public void lost(FencedTask task) {
    buffer.removeIf(work -> work.task().equals(task));
    outbox.remove(task);
    Run run = running.get(task);
    if (run == null) {
      plan();
      return;
    }
    run.toldToStop = true;
    if (world.wiring().workersStopThemselves()) {
      world.ledger().reached(RareState.WORKER_STOPPED_ITSELF);
      stop(run, notBegun());
      later(
          world.tasks().graceNanos(),
          () -> {
            if (!run.ended) {
              world.ledger().reached(RareState.WORKER_HALTED);
              crash();
            }
          });
    }
  }

  @Override
  public void cancelRequested(FencedTask task) {
    Run run = running.get(task);
    if (run != null && !run.toldToStop) {
      stop(run, new Outcome.Cancelled());
    } else if (buffer.removeIf(work -> work.task().equals(task))) {
      conclude(task, new Outcome.Cancelled());
      plan();
    }
  }

  @Override
  public void send(List<FencedTask> tasks) {
    send(tasks, kernel.nowNanos(), 1);
  }

  private void send(List<FencedTask> tasks, long sentAtNanos, int attempt) {
    long timeoutNanos = world.tasks().intervalNanos() / 5 * 4 - (kernel.nowNanos() - sentAtNanos);
    NodeView view = nodes.get(turn++ % nodes.size());
    world
        .wire()
        .<List<HeartbeatResult>>call(
            process,
            view.node,
            timeoutNanos,
            (node, call) -> {
              if (!node.tasks().heartbeat(tasks, call)) {
                call.refused();
              }
            },
            new Wire.Reply<>() {
              @Override
              public void answered(List<HeartbeatResult> results) {
                leases.acknowledged(
                    tasks, results.stream().map(HeartbeatResult::beat).toList(), sentAtNanos);
              }

              @Override
              public void failed(boolean hasHappened) {
                boolean inTime =
                    kernel.nowNanos() - sentAtNanos < world.tasks().intervalNanos() / 5 * 4;
                if (inTime && attempt < nodes.size()) {
                  send(tasks, sentAtNanos, attempt + 1);
                } else {
                  leases.failed(tasks);
                }
              }
            });
  }

  // Reporting

  private void report() {
    if (reporting || reportsPaused || outbox.isEmpty()) {
      return;
    }
    reporting = true;
    List<Report> reports = new ArrayList<>();
    outbox.forEach((task, outcome) -> reports.add(new Report(task, outcome)));
    NodeView view = nodes.get(turn++ % nodes.size());
    world
        .wire()
        .<List<ReportResult>>call(
            process,
            view.node,
            ANSWER_NANOS,
            (node, call) -> {
              if (!node.tasks().report(reports, call)) {
                call.refused();
              }
            },
            new Wire.Reply<>() {
              @Override
              public void answered(List<ReportResult> results) {
                reporting = false;
                for (int i = 0; i < reports.size(); i++) {
                  Report report = reports.get(i);
                  world.ledger().reported(report.task(), report.outcome(), results.get(i));
                  outbox.remove(report.task());
                  leases.remove(report.task());
                }
                plan();
              }

              @Override
              public void failed(boolean hasHappened) {
                reporting = false;
                reportsPaused = true;
                later(
                    REPORTS_AGAIN_NANOS,
                    () -> {
                      reportsPaused = false;
                      plan();
                    });
              }
            });
  }

  // Its end, and what befalls it

  /** Asks for no more work; what is here is performed, for so long. */
  void drain(long withinNanos) {
    draining = true;
    later(withinNanos, this::hurry);
    plan();
  }

  private void hurry() {
    hurried = true;
    buffer.forEach(work -> conclude(work.task(), notBegun()));
    buffer.clear();
    for (Run run : List.copyOf(running.values())) {
      if (!run.toldToStop) {
        stop(run, new Outcome.RetryAfter("the worker was stopped", Duration.ZERO));
      }
    }
    later(world.tasks().graceNanos() * 2, this::exit);
    plan();
  }

  private void exit() {
    if (!process.isDead()) {
      world.ledger().reached(RareState.WORKER_DRAINED);
      crash();
    }
  }

  /** Dies here and now; its machine starts another a little later. */
  void crash() {
    if (process.isDead()) {
      return;
    }
    world.ledger().note(121, () -> name + " ends");
    process.die();
    running.values().forEach(run -> world.ledger().ended(run.execution));
    running.clear();
    world.wire().died(process);
    host.startAfter(STARTS_AGAIN_NANOS);
  }

  /** Stands still; what it was performing goes on afterwards, until it notices. */
  void freeze(long nanos) {
    world.ledger().note(122, () -> name + " is frozen for " + nanos / 1_000_000 + " ms");
    long until = kernel.nowNanos() + nanos;
    process.freezeUntil(until);
    excusedUntilNanos =
        Math.max(
            excusedUntilNanos,
            until + world.tasks().tickNanos() + world.tasks().graceNanos() + 50_000_000);
    if (nanos > world.tasks().leaseNanos() && !running.isEmpty()) {
      world.ledger().reached(RareState.WORKER_PAUSED_BEYOND_ITS_LEASE);
    }
  }

  /** It stands still, or has just come back: its executions may be somebody else's by now. */
  boolean isExcused() {
    return kernel.nowNanos() <= excusedUntilNanos;
  }

  @Override
  public String toString() {
    return name;
  }
}
