package io.kairos.postgres.schedule;

import static io.kairos.testkit.schedule.Deciders.deed;
import static io.kairos.testkit.schedule.Deciders.situation;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.schedule.Bounds;
import io.kairos.domain.schedule.Spread;
import io.kairos.domain.schedule.fire.CatchUp;
import io.kairos.domain.schedule.fire.Changing;
import io.kairos.domain.schedule.fire.DecidedBy;
import io.kairos.domain.schedule.fire.Definition;
import io.kairos.domain.schedule.fire.OverlapPolicy;
import io.kairos.domain.schedule.fire.Policies;
import io.kairos.domain.schedule.fire.Rule;
import io.kairos.domain.schedule.fire.RuleTimetable;
import io.kairos.domain.schedule.fire.Schedule;
import io.kairos.domain.schedule.fire.ScheduleId;
import io.kairos.domain.schedule.fire.ScheduleName;
import io.kairos.domain.schedule.fire.Target;
import io.kairos.domain.task.HandlerName;
import io.kairos.domain.task.QueueName;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import io.kairos.engine.schedule.port.Change;
import io.kairos.engine.schedule.port.Creation;
import io.kairos.engine.schedule.port.Deed;
import io.kairos.engine.schedule.port.LedgerQuery;
import io.kairos.engine.schedule.port.ScheduleQuery;
import io.kairos.engine.schedule.port.ScheduleStore;
import io.kairos.engine.task.port.ListQuery;
import io.kairos.engine.task.port.TaskStore;
import io.kairos.engine.task.port.TaskView;
import io.kairos.postgres.PostgresStores;
import io.kairos.postgres.TestDatabase;
import io.kairos.testkit.schedule.Deciders;
import io.kairos.testkit.schedule.ModelScheduleStore;
import io.kairos.testkit.task.ModelTaskStore;
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
    Definition definition = definition(random);
    OverlapPolicy overlap = overlap(random);
    switch (random.nextInt(12)) {
      case 0, 1 -> {
        Schedule schedule =
            Changing.begin(
                    new ScheduleId(new UUID(4, step)),
                    name,
                    definition,
                    timetable(name, definition, now),
                    now)
                .orElseThrow();
        if (agreed(sides, side -> side.schedules.create(schedule)).equals(new Creation.Created())) {
          created.add(schedule);
        }
      }
      case 2 ->
          change(
              sides,
              name,
              "",
              (due, _) -> Optional.of(deed(due, Changing.pause(situation(due, now), "p"))));
      case 3 ->
          change(
              sides,
              name,
              "",
              (due, _) -> Optional.of(deed(due, Changing.resume(situation(due, now)))));
      case 4 ->
          change(
              sides,
              name,
              "",
              (due, _) ->
                  Optional.of(
                      deed(
                          due,
                          Changing.edit(
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
                        deed(due, Changing.trigger(situation(due, now), request, overlap)))
                    : Optional.empty());
      }
      case 6 ->
          change(
              sides,
              name,
              "",
              (due, _) ->
                  Optional.of(
                      new Deed(
                          Changing.end(situation(due, now)),
                          List.of(),
                          List.of(),
                          Deciders.TIME_ZONE_RULES,
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
                        NODE, names, upTo, MANY, TIMEOUT, (due, _) -> Deciders.decide(due, upTo))
                    .receipts()
                    .keySet());
        agreed(sides, side -> Set.copyOf(side.schedules.standings(names)));
      }
      default ->
          agreed(
              sides,
              side ->
                  side.schedules
                      .fire(NODE, MANY, TIMEOUT, (due, _) -> Deciders.decide(due, now))
                      .receipts()
                      .keySet());
    }
  }

  private static void change(List<Side> sides, ScheduleName name, String request, Change change) {
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
    return side.tasks.list(new ListQuery(null, Set.of(TaskState.values()), null, MANY)).tasks();
  }

  private static <T> T agreed(List<Side> sides, Function<Side, T> call) {
    T model = call.apply(sides.getFirst());
    T real = call.apply(sides.getLast());
    assertThat(real).usingRecursiveComparison().isEqualTo(model);
    return real;
  }

  private static Definition definition(RandomGenerator random) {
    CatchUp.Mode[] modes = CatchUp.Mode.values();
    return new Definition(
        Rule.of(Rule.Kind.EVERY, Duration.ofSeconds(random.nextInt(5, 120)).toString()),
        random.nextInt(4) == 0 ? new Bounds(null, null, (long) random.nextInt(1, 5)) : Bounds.NONE,
        Spread.NONE,
        new Target.Handler(
            new QueueName(new HandlerName("h" + random.nextInt(2)), 50),
            TaskDetails.of(new byte[] {1})),
        Policies.DEFAULT
            .with(overlap(random))
            .with(random.nextInt(3) == 0 ? DecidedBy.REPLICATED : DecidedBy.NODE)
            .with(
                new CatchUp(
                    modes[random.nextInt(modes.length)],
                    Duration.ofSeconds(random.nextInt(200)),
                    3)));
  }

  private static OverlapPolicy overlap(RandomGenerator random) {
    OverlapPolicy[] policies = OverlapPolicy.values();
    return policies[random.nextInt(policies.length)];
  }

  private static RuleTimetable timetable(
      ScheduleName name, Definition definition, Instant createdAt) {
    return new RuleTimetable(definition.timeRule(name, createdAt), Map.of());
  }

  private static void compare(String what, List<Side> sides, List<Schedule> created) {
    Side model = sides.getFirst();
    Side real = sides.getLast();
    assertThat(real.schedules.list(new ScheduleQuery("", null, Set.of(), null, MANY), (_, _) -> {}))
        .as(what)
        .usingRecursiveComparison()
        .isEqualTo(
            model.schedules.list(new ScheduleQuery("", null, Set.of(), null, MANY), (_, _) -> {}));
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
