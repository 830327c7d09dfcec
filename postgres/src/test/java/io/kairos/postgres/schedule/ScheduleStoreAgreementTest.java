package io.kairos.postgres.schedule;

import static io.kairos.contracts.ScheduleDeciders.situation;
import static io.kairos.contracts.ScheduleDeciders.writeOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.contracts.ScheduleDeciders;
import io.kairos.domain.node.NodeId;
import io.kairos.domain.schedule.RuleBounds;
import io.kairos.domain.schedule.RunSpread;
import io.kairos.domain.schedule.definition.CatchUpPolicy;
import io.kairos.domain.schedule.definition.FirePolicies;
import io.kairos.domain.schedule.definition.OverlapPolicy;
import io.kairos.domain.schedule.definition.Schedule;
import io.kairos.domain.schedule.definition.ScheduleDecider;
import io.kairos.domain.schedule.definition.ScheduleDefinition;
import io.kairos.domain.schedule.definition.ScheduleId;
import io.kairos.domain.schedule.definition.ScheduleName;
import io.kairos.domain.schedule.definition.ScheduleRule;
import io.kairos.domain.schedule.definition.ScheduleTarget;
import io.kairos.domain.schedule.fire.RuleTimetable;
import io.kairos.domain.schedule.fire.ScheduleRevision;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.queue.HandlerName;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.engine.schedule.port.CreationResult;
import io.kairos.engine.schedule.port.LedgerQuery;
import io.kairos.engine.schedule.port.NamedFiring;
import io.kairos.engine.schedule.port.ScheduleChange;
import io.kairos.engine.schedule.port.ScheduleFilter;
import io.kairos.engine.schedule.port.ScheduleStore;
import io.kairos.engine.schedule.port.ScheduleWrite;
import io.kairos.engine.task.port.TaskStore;
import io.kairos.engine.task.port.operator.ListQuery;
import io.kairos.engine.task.port.operator.TaskView;
import io.kairos.model.schedule.ModelScheduleStore;
import io.kairos.model.task.ModelTaskStore;
import io.kairos.postgres.PostgresStores;
import io.kairos.postgres.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random operations on the model and on Postgres, side by side. All times are of a clock of the
 * test's own, long past, so that the stores' clocks make no difference: whatever is active is due.
 */
final class ScheduleStoreAgreementTest {
  private static final NodeId NODE = new NodeId(new UUID(1, 1));
  private static final Duration TIMEOUT = Duration.ofMinutes(10);
  private static final Instant START = Instant.parse("2020-01-01T00:00:00Z");
  private static final int NAMES = 6;
  private static final int MANY = 1_000;

  private static final TestDatabase DATABASE = TestDatabase.create();
  private static PostgresStores stores;

  @BeforeAll
  static void open() {
    stores = DATABASE.open();
  }

  @AfterAll
  static void close() {
    stores.close();
  }

  /** One of the two, and the tasks beside it. */
  private record Side(ScheduleStore schedules, TaskStore tasks) {}

  static LongStream seeds() {
    return LongStream.rangeClosed(1, Boolean.getBoolean("kairos.long") ? 20 : 2);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void both_stores_do_the_same(long seed) {
    DATABASE.execute("truncate schedule, schedule_fire, task, finished_task, task_key");
    ModelTaskStore modelTasks = new ModelTaskStore(stores.schedules()::now);
    List<Side> sides =
        List.of(
            new Side(
                new ModelScheduleStore(stores.schedules()::now, modelTasks, _ -> {}), modelTasks),
            new Side(stores.schedules(), stores.tasks()));
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    Instant now = START;
    List<Schedule> created = new ArrayList<>();
    for (int step = 0; step < 120; step++) {
      now = now.plusMillis(random.nextLong(90_000));
      String what = "seed " + seed + ", step " + step;
      act(random, now, step, sides, created);
      compare(what, sides, created);
    }
  }

  private static void act(
      RandomGenerator random, Instant now, int step, List<Side> sides, List<Schedule> created) {
    ScheduleName name = new ScheduleName("s-" + random.nextInt(NAMES));
    ScheduleDefinition definition = definition(random);
    OverlapPolicy overlap = overlap(random);
    switch (random.nextInt(12)) {
      case 0, 1 -> {
        Schedule schedule =
            ScheduleRevision.begin(
                    new ScheduleId(new UUID(4, step)),
                    name,
                    definition,
                    timetable(name, definition, now),
                    now)
                .orElseThrow();
        if (agreed(sides, side -> side.schedules.create(schedule))
            .equals(new CreationResult.Created())) {
          created.add(schedule);
        }
      }
      case 2 ->
          change(
              sides,
              name,
              "",
              (due, _) ->
                  Optional.of(writeOf(due, ScheduleRevision.pause(situation(due, now), "p"))));
      case 3 ->
          change(
              sides,
              name,
              "",
              (due, _) -> Optional.of(writeOf(due, ScheduleRevision.resume(situation(due, now)))));
      case 4 ->
          change(
              sides,
              name,
              "",
              (due, _) ->
                  Optional.of(
                      writeOf(
                          due,
                          ScheduleRevision.edit(
                              situation(due, now),
                              definition,
                              timetable(name, definition, due.schedule().createdAt())))));
      case 5 -> {
        String request = "r-" + random.nextInt(4);
        change(
            sides,
            name,
            request,
            (due, _) ->
                due.ofRequest().isEmpty()
                    ? Optional.of(
                        writeOf(
                            due, ScheduleRevision.trigger(situation(due, now), request, overlap)))
                    : Optional.empty());
      }
      case 6 ->
          change(
              sides,
              name,
              "",
              (due, _) ->
                  Optional.of(
                      new ScheduleWrite(
                          ScheduleRevision.end(situation(due, now)),
                          List.of(),
                          List.of(),
                          ScheduleDeciders.TIME_ZONE_RULES,
                          true)));
      case 7 -> cancelOne(random, sides);
      case 8, 9 -> {
        // Behind what nodes have decided, or beyond it.
        Instant upTo = now.plusMillis(random.nextLong(-90_000, 90_000));
        List<ScheduleName> names = List.of(name, new ScheduleName("s-" + random.nextInt(NAMES)));
        agreed(
            sides,
            side ->
                side.schedules
                    .fireNamed(
                        NODE,
                        new NamedFiring(names, upTo, MANY),
                        TIMEOUT,
                        (due, _) -> ScheduleDeciders.decide(due, upTo))
                    .receipts()
                    .keySet());
        agreed(sides, side -> Set.copyOf(side.schedules.nextDecisions(names)));
      }
      default ->
          agreed(
              sides,
              side ->
                  side.schedules
                      .fire(NODE, MANY, TIMEOUT, (due, _) -> ScheduleDeciders.decide(due, now))
                      .receipts()
                      .keySet());
    }
  }

  private static void change(
      List<Side> sides, ScheduleName name, String request, ScheduleChange change) {
    agreed(
        sides,
        side ->
            side.schedules
                .change(NODE, name, request, TIMEOUT, change)
                .map(fired -> List.of(fired.entries(), fired.receipts().keySet())));
  }

  private static void cancelOne(RandomGenerator random, List<Side> sides) {
    List<TaskId> ids = ids(sides.getFirst());
    if (!ids.isEmpty()) {
      TaskId id = ids.get(random.nextInt(ids.size()));
      agreed(sides, side -> side.tasks.cancel(id));
    }
  }

  private static List<TaskId> ids(Side side) {
    return views(side).stream().map(TaskView::id).toList();
  }

  private static List<TaskView> views(Side side) {
    return side.tasks
        .list(ListQuery.ofHandler(null, Set.of(TaskState.values()), null, MANY))
        .tasks();
  }

  private static <T> T agreed(List<Side> sides, Function<Side, T> call) {
    T model = call.apply(sides.getFirst());
    T real = call.apply(sides.getLast());
    assertThat(real).usingRecursiveComparison().isEqualTo(model);
    return real;
  }

  private static ScheduleDefinition definition(RandomGenerator random) {
    CatchUpPolicy.Mode[] modes = CatchUpPolicy.Mode.values();
    return new ScheduleDefinition(
        ScheduleRule.of(
            ScheduleRule.Kind.EVERY, Duration.ofSeconds(random.nextInt(5, 120)).toString()),
        random.nextInt(4) == 0
            ? new RuleBounds(null, null, (long) random.nextInt(1, 5))
            : RuleBounds.NONE,
        RunSpread.NONE,
        new ScheduleTarget.Handler(
            new QueueName(new HandlerName("h" + random.nextInt(2)), 50),
            TaskDetails.of(new byte[] {1})),
        FirePolicies.DEFAULT
            .with(overlap(random))
            .with(random.nextInt(3) == 0 ? ScheduleDecider.REPLICATED : ScheduleDecider.NODE)
            .with(
                new CatchUpPolicy(
                    modes[random.nextInt(modes.length)],
                    Duration.ofSeconds(random.nextInt(200)),
                    3)));
  }

  private static OverlapPolicy overlap(RandomGenerator random) {
    OverlapPolicy[] policies = OverlapPolicy.values();
    return policies[random.nextInt(policies.length)];
  }

  private static RuleTimetable timetable(
      ScheduleName name, ScheduleDefinition definition, Instant createdAt) {
    return new RuleTimetable(definition.timeRule(name, createdAt), Map.of());
  }

  private static void compare(String what, List<Side> sides, List<Schedule> created) {
    Side model = sides.getFirst();
    Side real = sides.getLast();
    assertThat(
            real.schedules.list(new ScheduleFilter("", null, Set.of(), null, MANY), (_, _) -> {}))
        .as(what)
        .usingRecursiveComparison()
        .isEqualTo(
            model.schedules.list(new ScheduleFilter("", null, Set.of(), null, MANY), (_, _) -> {}));
    for (Schedule schedule : created) {
      assertThat(real.schedules.fires(LedgerQuery.latest(schedule.id(), MANY)))
          .as(what)
          .isEqualTo(model.schedules.fires(LedgerQuery.latest(schedule.id(), MANY)));
    }
    assertThat(
            views(real).stream().map(view -> view.id() + " " + view.state() + " " + view.dueAt()))
        .as(what)
        .containsExactlyElementsOf(
            views(model).stream()
                .map(view -> view.id() + " " + view.state() + " " + view.dueAt())
                .toList());
  }
}
