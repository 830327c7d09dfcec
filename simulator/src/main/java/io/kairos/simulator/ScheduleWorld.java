package io.kairos.simulator;

import io.kairos.engine.schedule.ScheduleConfig;
import io.kairos.engine.schedule.port.ScheduleStore;
import io.kairos.testkit.schedule.ModelScheduleStore;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A cluster for schedules: that of tasks, in which nobody asks for tasks but schedules, and a
 * store's clock of their own, which may jump.
 */
final class ScheduleWorld extends TaskWorld {
  private static final Duration FIRST_UPGRADE = Duration.ofSeconds(15);

  private final ScheduleWiring wiring;
  private final ScheduleConfig config;
  private final SimClock storeClock;
  private final ScheduleRules rules;
  private final ScheduleStore schedules;
  private final ScheduleWorkload work;
  private final long upgradeAtNanos;

  ScheduleWorld(long seed, ScheduleWiring wiring, boolean keepsLines) {
    this(new SplittableRandom(seed), wiring, keepsLines);
  }

  private ScheduleWorld(SplittableRandom random, ScheduleWiring wiring, boolean keepsLines) {
    super(random, TaskWiring.PRODUCTION, keepsLines);
    this.wiring = wiring;
    this.config = draw(random.split());
    this.storeClock = new SimClock(kernel());
    this.rules = new ScheduleRules(ledger(), this);
    this.schedules =
        wiring.schedules(new ModelScheduleStore(storeClock, model(), _ -> {}, rules), model());
    this.work = new ScheduleWorkload(this, random.split());
    this.upgradeAtNanos = random.nextLong(FIRST_UPGRADE.toNanos(), TaskScenario.HEAL_AT.toNanos());
  }

  private static ScheduleConfig draw(SplittableRandom random) {
    return new ScheduleConfig(
        Duration.ofMillis(random.nextInt(300, 1_000)),
        random.nextInt(2) == 0 ? random.nextInt(1, 5) : 1_000,
        Duration.ofDays(1));
  }

  @Override
  List<String> moreCalls() {
    return List.of(
        SimSchedules.FIRE,
        SimSchedules.FIRE,
        SimSchedules.FIRE,
        SimSchedules.FIRE_NAMED,
        SimSchedules.CHANGE);
  }

  @Override
  TaskProcess process(String run, SimClock clock) {
    return new ScheduleProcess(this, run, clock);
  }

  @Override
  void scheduleWork() {
    startWorkers();
    work.schedule();
  }

  /**
   * What a node that starts now has: first the old version of the rules of zones, later the new.
   */
  int zoneRules() {
    return kernel().nowNanos() < upgradeAtNanos ? 1 : 2;
  }

  /** The last nodes with the old version are replaced. */
  @Override
  void healed() {
    super.healed();
    for (SimNode<TaskProcess> node : nodes()) {
      if (node.process() instanceof ScheduleProcess process && process.zoneRules() == 1) {
        node.crash();
      }
    }
  }

  @Override
  void judge() {
    super.judge();
    rules.checkAll();
  }

  /** The store's clock shows another time from now on. */
  void jump(Duration by) {
    ledger().note(80, () -> "the store's clock jumps by " + by);
    ledger()
        .reached(
            by.isNegative()
                ? RareState.STORE_CLOCK_JUMPED_BACK
                : RareState.STORE_CLOCK_JUMPED_FORWARD);
    storeClock.setOffset(by.toNanos());
  }

  void endJump() {
    ledger().note(81, () -> "the store's clock is right again");
    storeClock.setOffset(0);
  }

  boolean isClockWrong() {
    return storeClock.offsetNanos() != 0;
  }

  ScheduleWiring scheduleWiring() {
    return wiring;
  }

  /** How the nodes deal with schedules. */
  ScheduleConfig schedulesConfig() {
    return config;
  }

  ScheduleStore schedules() {
    return schedules;
  }

  ScheduleRules scheduleRules() {
    return rules;
  }
}
