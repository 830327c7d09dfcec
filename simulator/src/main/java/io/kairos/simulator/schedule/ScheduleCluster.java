package io.kairos.simulator.schedule;

import static io.kairos.simulator.kernel.RareState.STORE_CLOCK_JUMPED_BACK;
import static io.kairos.simulator.kernel.RareState.STORE_CLOCK_JUMPED_FORWARD;

import io.kairos.engine.schedule.ScheduleConfig;
import io.kairos.engine.schedule.port.ScheduleStore;
import io.kairos.model.schedule.ModelScheduleStore;
import io.kairos.model.task.TaskStoreObserver;
import io.kairos.simulator.kernel.NodeHost;
import io.kairos.simulator.kernel.VirtualClock;
import io.kairos.simulator.task.TaskCall;
import io.kairos.simulator.task.TaskCluster;
import io.kairos.simulator.task.TaskNodeRun;
import io.kairos.simulator.task.TaskScenario;
import io.kairos.simulator.task.TaskWiring;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A cluster for schedules: the cluster for tasks with schedules as the only callers, and with a
 * store clock of its own, which may jump.
 */
public final class ScheduleCluster extends TaskCluster {
  private static final Duration FIRST_UPGRADE = Duration.ofSeconds(15);

  final ScheduleWiring scheduleWiring;
  private final ScheduleConfig config;
  private final VirtualClock scheduleClock;
  private final ScheduleRules rules;
  final ScheduleStore schedules;
  private final ScheduleWorkload work;
  private final long upgradeAtNanos;

  public ScheduleCluster(long seed, ScheduleWiring wiring, boolean keepsLines) {
    this(new SplittableRandom(seed), wiring, keepsLines);
  }

  private ScheduleCluster(SplittableRandom random, ScheduleWiring wiring, boolean keepsLines) {
    super(random, TaskWiring.PRODUCTION, keepsLines);
    this.scheduleWiring = wiring;
    this.config = draw(random.split());
    this.scheduleClock = new VirtualClock(kernel);
    this.rules = new ScheduleRules(ledger, this);
    this.schedules =
        wiring.schedules(new ModelScheduleStore(scheduleClock, model, _ -> {}, rules), model);
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
  public List<String> moreCalls() {
    return List.of(
        TaskCall.FIRE, TaskCall.FIRE, TaskCall.FIRE, TaskCall.FIRE_NAMED, TaskCall.CHANGE);
  }

  @Override
  public TaskNodeRun process(String run, VirtualClock clock) {
    return new ScheduleNodeRun(this, run, clock);
  }

  @Override
  public void scheduleWork() {
    startWorkers();
    work.schedule();
  }

  /**
   * What a node that starts now has: first the old version of the rules of zones, later the new.
   */
  int zoneRules() {
    return kernel.nowNanos() < upgradeAtNanos ? 1 : 2;
  }

  @Override
  public void began(TaskStoreObserver.Row row) {
    rules.began(row);
  }

  /** The last nodes with the old version are replaced. */
  @Override
  public void healed() {
    super.healed();
    for (NodeHost<TaskNodeRun> node : nodes) {
      if (node.process() instanceof ScheduleNodeRun process && process.zoneRules == 1) {
        node.crash();
      }
    }
  }

  @Override
  public void judge() {
    super.judge();
    rules.checkAll();
  }

  /** The store's clock shows another time from now on. */
  void jump(Duration by) {
    ledger.note(80, () -> "the store's clock jumps by " + by);
    ledger.reached(by.isNegative() ? STORE_CLOCK_JUMPED_BACK : STORE_CLOCK_JUMPED_FORWARD);
    scheduleClock.setOffset(by.toNanos());
  }

  void endJump() {
    ledger.note(81, () -> "the store's clock is right again");
    scheduleClock.setOffset(0);
  }

  boolean isClockWrong() {
    return scheduleClock.offsetNanos() != 0;
  }

  /** Settings of the nodes for schedules. */
  ScheduleConfig schedulesConfig() {
    return config;
  }

  ScheduleRules scheduleRules() {
    return rules;
  }
}
