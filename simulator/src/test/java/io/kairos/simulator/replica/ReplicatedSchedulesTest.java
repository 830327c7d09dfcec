package io.kairos.simulator.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.cron.CronListener;
import io.kairos.domain.cron.clock.ClockLimits;
import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaGroup.Faults;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.domain.schedule.definition.ScheduleName;
import io.kairos.engine.cron.CronMachine;
import io.kairos.engine.cron.TickListener;
import io.kairos.engine.cron.TicksGenerator;
import io.kairos.engine.cron.entry.BookCommand.ScheduleTime;
import io.kairos.engine.cron.entry.EntryBook;
import io.kairos.engine.cron.entry.EntryState;
import io.kairos.engine.cron.schedule.DecidingNode;
import io.kairos.engine.cron.schedule.ScheduleAsker;
import io.kairos.engine.replica.OrderedExecution;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Three simulated replicas that have the schedules of a simulated node decided. */
class ReplicatedSchedulesTest {
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1_000 * MILLI;
  private static final long LOOKS_EVERY = 50 * MILLI;
  private static final Duration TICK = Duration.ofSeconds(1);

  /** Two ticks, by which agreed time may lag, what is between two calls, and some more. */
  private static final long LATE_MILLIS = 4_000;

  /** By an older time the node would judge wrongly what was missed. */
  private static final long OLD_MILLIS = 20_000;

  private final ReplicaGroup cluster = new ReplicaGroup(3, Faults.CRASH);
  private final List<Life> lives = new ArrayList<>();

  /** The world of one seed. */
  private final class Run {
    private final SplittableRandom random;
    private final ReplicaCluster sim;
    private final Node node;

    Run(long seed) {
      random = new SplittableRandom(seed);
      sim =
          new ReplicaCluster(
              cluster,
              random.split(),
              new OrderedExecution.Config(100, 1_000),
              ReplicaWiring.PRODUCTION);
      node = new Node(sim.timeline, random.split());
      cluster.replicas().forEach(replica -> lives.add(new Life(this, replica)));
    }

    void pass(long nanos) {
      sim.timeline.runUntil(sim.timeline.nowNanos() + nanos);
    }

    long nowMillis() {
      return ReplicaClock.trueMillis(sim.timeline);
    }
  }

  /** A replica between a start and an end. */
  private static final class Life {
    private final Run run;
    private final EntryBook book = new EntryBook(List.of());
    private final ReplicaLog log;
    private final TicksGenerator ticks;
    private final ScheduleAsker asker;
    private boolean isOver;

    Life(Run run, ReplicaId replica) {
      this.run = run;
      CronMachine machine =
          new CronMachine(
              new CronMachine.Config(run.sim.cluster, true, ClockLimits.PUBLISHED, 1 << 24),
              book,
              CronListener.NONE,
              TickListener.NONE);
      log = run.sim.open(replica, machine);
      ticks =
          new TicksGenerator(
              log,
              machine.rounds(),
              run.sim.timeline::nowNanos,
              new ReplicaClock(run.sim.timeline, run.random.split()));
      asker =
          new ScheduleAsker(
              log, machine.clock(), book, run.node, run.sim.timeline::nowNanos, run.random.split());
      look();
    }

    private void look() {
      if (!isOver) {
        log.post(() -> {
          boolean ticking = ticks.period(EntryBook.SCHEDULES).isPresent();
          if (!ticking && hasTable()) {
            ticks.start(EntryBook.SCHEDULES, TICK);
          }
          ticks.look();
          asker.look();
        });
        run.sim.timeline.after(LOOKS_EVERY, this::look);
      }
    }

    private boolean hasTable() {
      return book.tables().stream()
          .anyMatch(table -> table.component().equals(EntryBook.SCHEDULES));
    }

    void end() {
      isOver = true;
      run.sim.crash(log.self());
    }

    NavigableMap<ScheduleName, Optional<Instant>> times() {
      return book.schedules().stream()
          .collect(
              Collectors.toMap(
                  name -> name,
                  name -> Optional.ofNullable(book.schedule(name).orElseThrow().next()),
                  (one, _) -> one,
                  TreeMap::new));
    }
  }

  /** Its schedules are due at whole multiples of their periods, and it decides each once. */
  private static final class Node implements DecidingNode {
    private int page = 3;
    private final ReplicaTimeline timeline;
    private final SplittableRandom random;
    private final TreeMap<ScheduleName, Plan> plans = new TreeMap<>();
    private boolean isFaulty;
    private boolean isAway;
    private long callMillis = 20;
    private long asked;
    private long fired;

    /** The time up to which a schedule is decided. */
    private static final class Plan {
      private long periodMillis;
      private long decidedTo;

      long next() {
        return (decidedTo / periodMillis + 1) * periodMillis;
      }
    }

    Node(ReplicaTimeline timeline, SplittableRandom random) {
      this.timeline = timeline;
      this.random = random;
    }

    void put(ScheduleName name, long periodMillis) {
      Plan plan = plans.computeIfAbsent(name, _ -> new Plan());
      plan.periodMillis = periodMillis;
      plan.decidedTo = ReplicaClock.trueMillis(timeline);
    }

    private boolean fails() {
      return isAway || (isFaulty && random.nextInt(4) == 0);
    }

    /** Calls may be lost on the way there, and answers on the way back. */
    private <T> void call(Supplier<T> work, Consumer<Optional<T>> answered) {
      timeline.after(
          random.nextLong(MILLI, 20 * MILLI),
          () -> {
            Optional<T> answer = fails() ? Optional.empty() : Optional.of(work.get());
            boolean isLost = fails();
            timeline.after(
                isLost ? 5 * SECOND : random.nextLong(MILLI, callMillis * MILLI),
                () -> answered.accept(isLost ? Optional.empty() : answer));
          });
    }

    @Override
    public void decide(
        List<ScheduleName> names, Instant upTo, Consumer<Optional<List<ScheduleTime>>> answered) {
      asked += names.size();
      call(() -> names.stream().map(name -> decide(name, upTo)).toList(), answered);
    }

    private ScheduleTime decide(ScheduleName name, Instant upTo) {
      long millis = upTo.toEpochMilli();
      long now = ReplicaClock.trueMillis(timeline);
      assertThat(millis).isBetween(now - OLD_MILLIS, now + ReplicaClock.SKEW_MILLIS);
      Plan plan = plans.get(name);
      if (plan == null) {
        return new ScheduleTime(name, null);
      }
      if (!fails() && plan.next() <= millis) { // else somebody has locked it
        fired += millis / plan.periodMillis - plan.decidedTo / plan.periodMillis;
        plan.decidedTo = millis;
      }
      return new ScheduleTime(name, Instant.ofEpochMilli(plan.next()));
    }

    @Override
    public void list(String token, Consumer<Optional<Page>> answered) {
      call(
          () -> {
            List<ScheduleTime> behind =
                plans.entrySet().stream()
                    .filter(each -> each.getKey().value().compareTo(token) > 0)
                    .map(each ->
                        new ScheduleTime(
                            each.getKey(), Instant.ofEpochMilli(each.getValue().next())))
                    .toList();
            List<ScheduleTime> some = behind.subList(0, Math.min(page, behind.size()));
            return new Page(some, behind.size() > page ? some.getLast().schedule().value() : "");
          },
          answered);
    }
  }

  private static ScheduleName name(int number) {
    return new ScheduleName("s-" + number);
  }

  @Test // PH-35
  void cc30_undisturbed_each_fire_is_asked_for_about_once_and_soon() {
    Run run = new Run(1);
    for (int i = 0; i < 20; i++) {
      run.node.put(name(i), 7_000);
    }
    run.pass(20 * SECOND);
    long asked = run.node.asked;
    long fired = run.node.fired;
    for (int i = 0; i < 600; i++) {
      run.pass(SECOND);
      assertNoneIsLate(run);
    }

    assertThat(run.node.fired - fired).isBetween(1_680L, 1_740L);
    assertThat((double) (run.node.asked - asked) / (run.node.fired - fired)).isBetween(1.0, 1.1);
  }

  private static void assertNoneIsLate(Run run) {
    for (Node.Plan plan : run.node.plans.values()) {
      assertThat(run.nowMillis() - plan.next()).isLessThan(LATE_MILLIS);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void cc30_cc31_after_all_faults_all_replicas_know_what_the_node_has(long seed) {
    Run run = new Run(seed);
    SplittableRandom chance = run.random.split();
    run.node.isFaulty = true;
    for (int i = 0; i < 300; i++) {
      disturb(run, chance);
      run.pass(chance.nextLong(2 * SECOND));
    }
    run.node.isFaulty = false;
    for (int i = 0; i < lives.size(); i++) {
      startAgain(run, i);
    }
    run.pass(30 * SECOND);

    assertNoneIsLate(run);
    for (Node.Plan plan : run.node.plans.values()) {
      plan.periodMillis = 86_400_000; // nothing is due any more
    }
    run.pass(10 * SECOND);
    for (Life life : lives) {
      assertThat(life.times()).as("seed %d, %s", seed, life.log.self()).isEqualTo(times(run.node));
    }
  }

  @Test
  void cc30_after_all_were_away_none_asks_by_the_time_at_which_they_went() {
    Run run = new Run(3);
    run.node.put(name(1), 7_000);
    run.pass(30 * SECOND);
    run.node.isAway = true; // so that it waits in the state
    run.pass(20 * SECOND);
    lives.forEach(Life::end);
    run.node.isAway = false;
    run.pass(3_600 * SECOND);
    for (int i = 0; i < lives.size(); i++) {
      startAgain(run, i);
    }

    run.pass(10 * SECOND);

    assertNoneIsLate(run); // and no call had an old time
  }

  @Test
  void cc30_what_is_too_much_for_a_call_is_asked_for_again_and_told_once() {
    Run run = new Run(4);
    for (int i = 0; i < 2_500; i++) {
      run.node.put(name(i), 60_000);
    }
    run.node.page = 1_000;
    run.node.callMillis = 500;
    run.pass(65 * SECOND);
    long fired = run.node.fired;
    run.pass(60 * SECOND);

    assertThat(run.node.fired - fired).isEqualTo(2_500);
    assertThat(lives.getFirst().book.journal(EntryBook.SCHEDULES, 1)).isNotEmpty();
    for (Life life : lives) {
      assertThat(fires(life)).as("fires of %s", life.log.self()).isBetween(5_000L, 5_010L);
    }
  }

  private static long fires(Life life) {
    return life.book.entries(EntryBook.SCHEDULES, -1, 10_000).stream()
        .mapToLong(EntryState::fires)
        .sum();
  }

  private static NavigableMap<ScheduleName, Optional<Instant>> times(Node node) {
    TreeMap<ScheduleName, Optional<Instant>> times = new TreeMap<>();
    node.plans.forEach(
        (name, plan) -> times.put(name, Optional.of(Instant.ofEpochMilli(plan.next()))));
    return times;
  }

  private void disturb(Run run, SplittableRandom chance) {
    ScheduleName schedule = name(chance.nextInt(10));
    switch (chance.nextInt(12)) {
      case 0, 1, 2 -> run.node.put(schedule, chance.nextLong(1, 20) * 1_000);
      case 3 -> run.node.plans.remove(schedule);
      case 4 -> {
        int replica = chance.nextInt(lives.size());
        if (lives.stream().noneMatch(life -> life.isOver)) {
          lives.get(replica).end();
        }
      }
      default -> startAgain(run, chance.nextInt(lives.size()));
    }
  }

  private void startAgain(Run run, int replica) {
    if (lives.get(replica).isOver) {
      lives.set(replica, new Life(run, new ReplicaId(replica)));
    }
  }
}
