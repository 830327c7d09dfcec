package io.kairos.engine.task;

import io.kairos.domain.task.AttemptEnd;
import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.QueueId;
import io.kairos.domain.task.QueueName;
import io.kairos.domain.task.TaskId;
import io.kairos.engine.loop.Activity;
import io.kairos.engine.loop.Step;
import io.kairos.engine.loop.Wakeup;
import io.kairos.engine.node.StoreUnavailable;
import io.kairos.engine.task.port.Beat;
import io.kairos.engine.task.port.Bell;
import io.kairos.engine.task.port.CancelResult;
import io.kairos.engine.task.port.EnqueuedTask;
import io.kairos.engine.task.port.Holder;
import io.kairos.engine.task.port.InsertResult;
import io.kairos.engine.task.port.ListQuery;
import io.kairos.engine.task.port.TaskPage;
import io.kairos.engine.task.port.TaskView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * The tasks of a node: all roles of ATF (DA-13) but the controller and the executors, which are in
 * the client. Frontend, store consumer, queues, and heartbeat and status controller are steps over
 * one store; assembled from ports, the same for production and simulator. Whoever makes it drives
 * the {@linkplain #activities activities}, each on a thread of its own, and ends with {@link
 * #stop}.
 */
public final class TaskNode implements TaskEdge {
  private static final Duration STOP_LOOKS_EVERY = Duration.ofMillis(10);

  private final TaskConfig config;
  private final TaskPorts ports;
  private final Queues queues;
  private final Batcher<List<TaskSpec>, InsertResult> schedule;
  private final Batcher<List<Report>, List<ReportResult>> report;
  private final Batcher<List<Renewal>, List<HeartbeatResult>> heartbeat;
  private final QueueControl control;
  private final Inlet inlet;
  private final Wakeup stopping;
  private final List<Activity> activities = new ArrayList<>();

  public TaskNode(TaskConfig config, TaskPorts ports) {
    this.config = config;
    this.ports = ports;
    this.stopping = ports.wakeups().create();
    Wakeup claim = ports.wakeups().create();
    Wakeup consume = ports.wakeups().create();
    this.queues = new Queues(config, ports.clock(), ports.monotonic(), claim, consume);
    QueueNumbers numbers =
        new QueueNumbers(ports.tasks(), queues, ports.monotonic(), config.pollInterval());
    Wakeup ring = ports.wakeups().create();
    RingStep ringing = new RingStep(ports, ring);
    this.inlet = new Inlet(config, ports, numbers, queues, ringing::ask);
    Acceptance acceptance = new Acceptance(config, ports, numbers, inlet);
    Consumer<Set<QueueId>> mayBegin = mayBegin(ringing);
    Settling settling = new Settling(config, ports, queues, this::ended, mayBegin);
    Wakeup accept = ports.wakeups().create();
    this.schedule =
        new Batcher<>(
            "accept-tasks",
            config.maxPending(),
            config.maxBatch(),
            List::size,
            acceptance::accept,
            accept);
    Wakeup settle = ports.wakeups().create();
    this.report = Batcher.ofItems("settle-tasks", config, settling::settle, settle);
    Wakeup beat = ports.wakeups().create();
    this.heartbeat = Batcher.ofItems("extend-leases", config, this::beat, beat);
    add(schedule, accept);
    add(report, settle);
    add(heartbeat, beat);
    add(new ClaimStep(config, ports, queues), claim);
    look(new ConsumeStep(config, ports, numbers, queues), consume);
    Runnable returned =
        () -> {
          consume.signal();
          ringing.ask();
        };
    look(new ReapStep(config, ports, this::ended, mayBegin, returned), ports.wakeups().create());
    look(new PruneStep(config, ports), ports.wakeups().create());
    look(new SweepKeysStep(config, ports), ports.wakeups().create());
    Wakeup tend = ports.wakeups().create();
    look(new GateStep(config, ports, queues), tend);
    this.control = new QueueControl(ports.tasks(), queues, tend, consume);
    if (!ports.bell().equals(Bell.NONE)) {
      add(ringing, ring);
      add(new ListenStep(ports, numbers, consume), ports.wakeups().create());
    }
  }

  /** Here or, where only workers of other nodes ask for it, there. */
  private Consumer<Set<QueueId>> mayBegin(RingStep ringing) {
    return freed -> {
      if (queues.moreMayBegin(freed)) {
        ringing.ask();
      }
    };
  }

  private void add(Step step, Wakeup wakeup) {
    activities.add(Activity.serving(step, wakeup));
  }

  private void look(Step step, Wakeup wakeup) {
    activities.add(Activity.looking(step, wakeup));
  }

  private void ended(AttemptEnd decision) {
    switch (decision) {
      case AttemptEnd.Finish finish -> ports.events().finished(finish.state());
      case AttemptEnd.Retry _ -> ports.events().retried();
      case AttemptEnd.GiveBack _ -> ports.events().givenBack();
    }
  }

  /** A lease that is to begin anew. */
  private record Renewal(FencedTask task, Duration lease) {}

  /**
   * One statement for each length; where a task has several, the longest holds. One more says who
   * has what is lost.
   */
  private List<HeartbeatResult> beat(List<Renewal> renewals) {
    Map<Duration, List<Integer>> places = new TreeMap<>();
    for (int i = 0; i < renewals.size(); i++) {
      places.computeIfAbsent(renewals.get(i).lease(), _ -> new ArrayList<>()).add(i);
    }
    Beat[] beats = new Beat[renewals.size()];
    places.forEach((lease, mine) -> {
      List<Beat> some =
          ports.tasks().heartbeat(mine.stream().map(i -> renewals.get(i).task()).toList(), lease);
      for (int i = 0; i < some.size(); i++) {
        beats[mine.get(i)] = some.get(i);
      }
    });
    Set<TaskId> lost = new HashSet<>();
    for (int i = 0; i < beats.length; i++) {
      if (beats[i] == Beat.LOST) {
        ports.events().refused();
        lost.add(renewals.get(i).task().id());
      }
    }
    Map<TaskId, Holder> holders = holders(lost);
    return IntStream.range(0, beats.length)
        .mapToObj(i ->
            new HeartbeatResult(
                beats[i], beats[i] == Beat.LOST ? holders.get(renewals.get(i).task().id()) : null))
        .toList();
  }

  /** Nobody when the store does not say: the leases of the others have begun anew all the same. */
  private Map<TaskId, Holder> holders(Set<TaskId> lost) {
    try {
      return lost.isEmpty() ? Map.of() : ports.tasks().holders(lost);
    } catch (StoreUnavailable e) { // a worker whose other tasks are fine must not count a failure
      return Map.of();
    }
  }

  /** Every step with its wakeup, to be driven one thread each. */
  public List<Activity> activities() {
    return List.copyOf(activities);
  }

  /**
   * Stops gracefully, while the activities are still driven: hands out and takes in nothing more,
   * finishes what is waiting for the store, and gives back what is in memory. Tasks that workers
   * perform stay theirs: any node takes their heartbeats and results. When the activities are no
   * longer driven, {@link #giveBack} completes it.
   *
   * @return whether nothing was left waiting
   */
  public boolean stop(Duration atMost) {
    schedule.close();
    report.close();
    heartbeat.close();
    queues.close();
    long untilNanos = ports.monotonic().nanos() + atMost.toNanos();
    while (!isQuiet() && ports.monotonic().nanos() - untilNanos < 0) {
      stopping.await(STOP_LOOKS_EVERY);
    }
    boolean quiet = isQuiet();
    release(untilNanos);
    return quiet;
  }

  /**
   * Gives back what is in memory: after a {@link #stop}, what a round that was under way then has
   * still brought. Others may have looked already for what this node holds, and look no more before
   * the enqueue timeout.
   */
  public void giveBack(Duration atMost) {
    release(ports.monotonic().nanos() + atMost.toNanos());
  }

  /** What there is no time for, the others take back when this node has departed. */
  private void release(long untilNanos) {
    List<FencedTask> held = queues.clear().stream().map(EnqueuedTask::task).toList();
    for (int from = 0;
        from < held.size() && ports.monotonic().nanos() - untilNanos < 0;
        from += config.maxBatch()) {
      int to = Math.min(held.size(), from + config.maxBatch());
      ports.tasks().release(held.subList(from, to), config.enqueueTimeout());
    }
  }

  private boolean isQuiet() {
    return schedule.isEmpty() && report.isEmpty() && heartbeat.isEmpty();
  }

  /** For what stores tasks beside this node's frontend. */
  public Inlet inlet() {
    return inlet;
  }

  /** Tasks in memory, for metrics. */
  public int enqueued() {
    return queues.size();
  }

  /** The same for each queue that has some. */
  public Map<QueueName, Integer> enqueuedByQueue() {
    return queues.sizes();
  }

  /** Workers that wait, for metrics. */
  public int waitingWorkers() {
    return queues.waiting();
  }

  @Override
  public boolean schedule(List<TaskSpec> tasks, Answer<InsertResult> answer) {
    return schedule.offer(List.copyOf(tasks), answer);
  }

  @Override
  public Waiting nextWork(WorkRequest request, Answer<List<Work>> answer) {
    return queues.await(request, answer);
  }

  @Override
  public void leave(String worker) {
    queues.leave(worker);
  }

  @Override
  public boolean heartbeat(
      List<FencedTask> processing, Duration lease, Answer<List<HeartbeatResult>> answer) {
    return heartbeat.offer(
        processing.stream().map(task -> new Renewal(task, lease)).toList(), answer);
  }

  @Override
  public boolean report(List<Report> reports, Answer<List<ReportResult>> answer) {
    return report.offer(List.copyOf(reports), answer);
  }

  @Override
  public Duration lease() {
    return config.lease();
  }

  @Override
  public Duration heartbeatInterval() {
    return config.heartbeatInterval();
  }

  @Override
  public QueueEdge queues() {
    return control;
  }

  @Override
  public CancelResult cancel(TaskId id) {
    return ports.tasks().cancel(id);
  }

  @Override
  public boolean reschedule(TaskId id, long dueMicros) {
    return ports.tasks().reschedule(id, dueMicros);
  }

  @Override
  public Optional<TaskView> find(TaskId id) {
    return ports.tasks().find(id);
  }

  @Override
  public TaskPage list(ListQuery query) {
    return ports.tasks().list(query);
  }
}
