package io.kairos.testnode;

import io.kairos.domain.task.TaskState;
import io.kairos.engine.schedule.port.ScheduleStore;
import io.kairos.engine.task.port.TaskStore;
import io.kairos.engine.task.port.operator.ListQuery;
import io.kairos.engine.task.port.operator.TaskListing;
import io.kairos.engine.task.port.operator.TaskView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Detects when the node is idle: no task is being performed, none is due with a worker, and no
 * schedule is due to fire. A due task that stays as it is has no worker, or is held back by a
 * limit, and is ignored until the clock has reached the time that the test asked for. Examines all
 * tasks; called by one thread at a time.
 */
final class NodeQuiescence {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Real time after which a task that no worker has asked for is ignored. */
  private static final Duration UNTAKEN = Duration.ofSeconds(1);

  /**
   * Real time after which a task is ignored that came into memory because a worker had asked for
   * it. The worker takes it at once, unless its process gets no time on a busy machine.
   */
  private static final Duration UNTAKEN_ENQUEUED = Duration.ofSeconds(10);

  /**
   * Looks needed besides that time, because a stalled machine gives this process no time either.
   */
  private static final int UNTAKEN_LOOKS = 100;

  private static final long LOOKS_EVERY_MILLIS = 2;
  private static final int PAGE = 1_000;
  private static final Set<TaskState> UNFINISHED = unfinished();

  private final TaskStore tasks;
  private final ScheduleStore schedules;
  private final TurnedClock clock;
  private final Set<String> ignored = new HashSet<>();

  NodeQuiescence(TaskStore tasks, ScheduleStore schedules, TurnedClock clock) {
    this.tasks = tasks;
    this.schedules = schedules;
    this.clock = clock;
  }

  private static Set<TaskState> unfinished() {
    Set<TaskState> states = EnumSet.allOf(TaskState.class);
    states.removeIf(TaskState::isFinished);
    return states;
  }

  /** Forgets which tasks are ignored: the test may have started a worker since. */
  void begin() {
    ignored.clear();
  }

  /**
   * Waits until the node is idle.
   *
   * @return tasks still being performed when the time is up; empty when the node is idle
   */
  List<TaskView> await() throws InterruptedException {
    long sinceNanos = System.nanoTime();
    long changedNanos = sinceNanos;
    int looks = 0;
    Set<String> before = Set.of();
    while (true) {
      // Schedules are read before tasks, so that the tasks include those of schedules no longer
      // due.
      Optional<Instant> toFire =
          Optional.ofNullable(schedules.agenda().nextAt())
              .filter(at -> !at.isAfter(clock.instant()));
      List<TaskView> live = live();
      List<TaskView> performed =
          live.stream().filter(task -> task.state() == TaskState.PROCESSING).toList();
      Set<String> busy =
          live.stream().filter(this::isBusy).map(NodeQuiescence::trace).collect(Collectors.toSet());
      busy.removeAll(ignored);
      toFire.ifPresent(at -> busy.add("to fire since " + at));
      if (busy.isEmpty()) {
        return List.of();
      }
      long nowNanos = System.nanoTime();
      if (!busy.equals(before)) {
        before = busy;
        changedNanos = nowNanos;
        looks = 0;
      }
      looks++;
      boolean isEnqueued =
          live.stream()
              .anyMatch(task -> task.state() == TaskState.ENQUEUED && busy.contains(trace(task)));
      Duration patience = isEnqueued ? UNTAKEN_ENQUEUED : UNTAKEN;
      if (performed.isEmpty()
          && toFire.isEmpty()
          && looks >= UNTAKEN_LOOKS
          && nowNanos - changedNanos >= patience.toNanos()) {
        ignored.addAll(busy);
        return List.of();
      }
      if (nowNanos - sinceNanos >= PATIENCE.toNanos()) {
        return performed;
      }
      TimeUnit.MILLISECONDS.sleep(LOOKS_EVERY_MILLIS);
    }
  }

  private boolean isBusy(TaskView task) {
    return switch (task.state()) {
      case PROCESSING, ENQUEUED -> true;
      case NEW, RETRIABLE_FAILURE -> !trigger(task).isAfter(clock.instant());
      default -> false;
    };
  }

  private static String trace(TaskView task) {
    return task.id() + " " + task.state() + " " + task.progress().attempt();
  }

  /** Returns the next moment at which a task or schedule becomes due. */
  Optional<Instant> next() {
    Instant now = clock.instant();
    Stream<Instant> triggers =
        live().stream()
            .filter(task ->
                task.state() == TaskState.NEW || task.state() == TaskState.RETRIABLE_FAILURE)
            .map(NodeQuiescence::trigger);
    return Stream.concat(triggers, Optional.ofNullable(schedules.agenda().nextAt()).stream())
        .filter(moment -> moment.isAfter(now))
        .min(Instant::compareTo);
  }

  private static Instant trigger(TaskView task) {
    Instant trigger = task.progress().nextTrigger();
    return trigger == null ? Instant.MAX : trigger;
  }

  private List<TaskView> live() {
    List<TaskView> all = new ArrayList<>();
    TaskListing page = tasks.list(ListQuery.ofHandler(null, UNFINISHED, null, PAGE));
    all.addAll(page.tasks());
    while (page.next() != null) {
      page = tasks.list(ListQuery.ofHandler(null, UNFINISHED, page.next(), PAGE));
      all.addAll(page.tasks());
    }
    return all;
  }
}
