package io.kairos.model.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.queue.HandlerName;
import io.kairos.domain.task.queue.PoolName;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.engine.cluster.ClusterAlarm;
import io.kairos.engine.cluster.ClusterDesk;
import io.kairos.engine.cluster.ClusterFigures;
import io.kairos.engine.cluster.ClusterFigures.ClusterPeriod;
import io.kairos.engine.cluster.ClusterNode;
import io.kairos.engine.cluster.ClusterState;
import io.kairos.engine.cluster.DetailFigures;
import io.kairos.engine.cluster.DetailFigures.Attempts;
import io.kairos.engine.cluster.DetailFigures.Endpoint;
import io.kairos.engine.cluster.DetailFigures.EndpointWork;
import io.kairos.engine.cluster.FigurePeriod;
import io.kairos.engine.cluster.FiguresStep;
import io.kairos.engine.cluster.LatenessCounts;
import io.kairos.engine.cluster.NodeFigures;
import io.kairos.engine.cluster.NodePeriod;
import io.kairos.engine.cluster.NodeSample;
import io.kairos.engine.cluster.NodeState;
import io.kairos.engine.cluster.PeriodFigures;
import io.kairos.engine.cluster.RouteFigures;
import io.kairos.engine.cluster.WorkFigures;
import io.kairos.engine.loop.NextRound;
import io.kairos.engine.node.LivenessStore;
import io.kairos.engine.node.StoreUnavailable;
import io.kairos.model.node.ModelLivenessStore;
import io.kairos.model.schedule.ModelScheduleStore;
import io.kairos.model.task.ModelTaskStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Nodes that share figures through a store, and what one of them says of all. */
class ClusterDeskTest {
  private static final Duration LAPSE = Duration.ofSeconds(2);

  private static final TaskHandler RESIZE = new HandlerName("resize");
  private static final Endpoint ENDPOINT =
      new Endpoint(new PoolName("billing"), "http://10.0.0.1:8080/jobs");

  private Instant now = Instant.parse("2026-03-01T12:00:00Z");
  private boolean isAway;
  private int writes;
  private final ModelLivenessStore liveness = new ModelLivenessStore(() -> now);
  private final ModelTaskStore tasks = new ModelTaskStore(() -> now);
  private final ModelClusterStore store =
      new ModelClusterStore(() -> now, liveness, ModelClusterStore.Waiting.NOTHING) {
        @Override
        public synchronized void write(List<NodeFigures> told) {
          if (isAway) {
            throw new StoreUnavailable("for the test");
          }
          writes++;
          super.write(told);
        }

        @Override
        public synchronized List<NodePeriod> figures(long from, long to) {
          if (isAway) {
            throw new StoreUnavailable("for the test");
          }
          return super.figures(from, to);
        }
      };
  private final TestedNode one = new TestedNode("one");
  private final TestedNode other = new TestedNode("other");

  /** A node with a life, which counts what a test says. */
  private final class TestedNode {
    private final String name;
    private Optional<NodeId> life = Optional.empty();
    private long accepted;
    private DetailFigures details = DetailFigures.NONE;
    private final List<Duration> late = new ArrayList<>();
    private List<RouteFigures> routes = List.of();
    private final FiguresStep step;
    private final ClusterDesk desk;

    private TestedNode(String name) {
      this.name = name;
      this.step =
          new FiguresStep(
              new FiguresStep.Ports(store, () -> life, this::take, () -> routes, () -> now));
      this.desk =
          new ClusterDesk(
              new ClusterDesk.Ports(
                  store,
                  liveness,
                  tasks,
                  new ModelScheduleStore(() -> now, tasks, _ -> {}),
                  () -> life,
                  () -> now,
                  Duration.ofMillis(500)),
              step);
    }

    private NodeSample take() {
      LatenessCounts lateness =
          late.stream()
              .map(LatenessCounts::ofOne)
              .reduce(LatenessCounts.NONE, LatenessCounts::plus);
      WorkFigures work = new WorkFigures(accepted, 0, 0, lateness, null);
      accepted = 0;
      late.clear();
      return new NodeSample(
          new NodeState(name, "1", List.of("tasks"), Duration.ZERO, null, 0, List.of()),
          PeriodFigures.ofTasks(work, 0, 0, 0),
          takeDetails());
    }

    private DetailFigures takeDetails() {
      DetailFigures taken = details;
      details = DetailFigures.NONE;
      return taken;
    }

    private void begin(long id) {
      life = Optional.of(new NodeId(new UUID(0, id)));
      liveness.enrol(life.get(), LAPSE);
      run();
    }

    private void run() {
      try {
        NextRound next = step.runOnce();
        assertThat(next.after()).isBetween(Duration.ofMillis(1), FigurePeriod.LENGTH);
      } catch (StoreUnavailable e) {
        assertThat(isAway).isTrue();
      }
    }

    private void dies() {
      liveness.alive().stream()
          .filter(renewal -> life.filter(renewal.node()::equals).isPresent())
          .forEach(liveness::declareDead);
    }

    private List<ClusterPeriod> periods() {
      return desk.figures(null).periods();
    }
  }

  private void pass(Duration time, TestedNode... running) {
    Instant until = now.plus(time);
    while (now.isBefore(until)) {
      now = now.plusSeconds(1);
      for (TestedNode node : running) {
        node.life.ifPresent(liveness::renew);
        node.run();
      }
    }
  }

  @Test
  void figures_of_all_nodes_are_added_by_period() {
    one.begin(1);
    other.begin(2);
    one.accepted = 3;
    one.late.add(Duration.ofMillis(10));
    other.accepted = 4;
    other.late.add(Duration.ofSeconds(10));
    pass(FigurePeriod.LENGTH, one, other);
    one.accepted = 50;
    pass(FigurePeriod.LENGTH, one, other);

    ClusterFigures figures = other.desk.figures(null);

    assertThat(figures.isOwnOnly()).isFalse();
    assertThat(figures.periods())
        .extracting(period -> period.figures().tasks().accepted())
        .containsExactly(7L, 50L);
    assertThat(figures.periods()).extracting(ClusterPeriod::nodes).containsExactly(2, 2);
    assertThat(figures.periods().getFirst().figures().tasks().lateness())
        .isEqualTo(
            LatenessCounts.ofOne(Duration.ofMillis(10))
                .plus(LatenessCounts.ofOne(Duration.ofSeconds(10))));
  }

  private static DetailFigures resized(long begun, long failed) {
    return new DetailFigures(Map.of(RESIZE, new Attempts(begun, begun, failed)), Map.of());
  }

  private static DetailFigures pushed(long inFlight, int ejecting, Duration... answers) {
    LatenessCounts took =
        Arrays.stream(answers)
            .map(LatenessCounts::ofOne)
            .reduce(LatenessCounts.NONE, LatenessCounts::plus);
    return new DetailFigures(
        Map.of(), Map.of(ENDPOINT, new EndpointWork(inFlight, ejecting, ejecting, took)));
  }

  @Test
  void the_last_minute_of_all_nodes_is_added_by_handler_and_passes() {
    one.begin(1);
    other.begin(2);
    one.details = resized(3, 1);
    other.details = resized(4, 0);
    pass(FigurePeriod.LENGTH, one, other);
    one.details = resized(50, 0);
    pass(FigurePeriod.LENGTH, one, other);

    assertThat(other.desk.lastMinute()).isEqualTo(resized(57, 1));

    pass(Duration.ofSeconds(55), one, other);
    assertThat(other.desk.lastMinute().handlers())
        .containsExactly(Map.entry(RESIZE, new Attempts(50, 50, 0)));
    pass(Duration.ofSeconds(5), one, other);
    assertThat(other.desk.lastMinute()).isEqualTo(DetailFigures.NONE);
  }

  @Test
  void what_is_in_flight_is_of_now_and_what_was_answered_of_the_last_minute() {
    one.begin(1);
    other.begin(2);
    one.details = pushed(7, 1, Duration.ofMillis(10));
    other.details = pushed(2, 0, Duration.ofMillis(20));
    pass(FigurePeriod.LENGTH, one, other);

    assertThat(one.desk.lastMinute())
        .isEqualTo(pushed(9, 1, Duration.ofMillis(10), Duration.ofMillis(20)));

    one.details = pushed(1, 0, Duration.ofMillis(30));
    pass(FigurePeriod.LENGTH, one, other);
    assertThat(one.desk.lastMinute())
        .isEqualTo(
            pushed(1, 0, Duration.ofMillis(10), Duration.ofMillis(20), Duration.ofMillis(30)));
  }

  @Test
  void the_last_minute_of_a_node_that_is_gone_does_not_count() {
    one.begin(1);
    other.begin(2);
    one.details = resized(3, 1);
    other.details = resized(4, 0);
    pass(FigurePeriod.LENGTH, one, other);

    pass(Duration.ofSeconds(20), one);

    assertThat(one.desk.lastMinute()).isEqualTo(resized(3, 1));
  }

  @Test
  void a_node_tells_of_its_busiest_handlers_only() {
    Map<TaskHandler, Attempts> many = new HashMap<>();
    for (int i = 0; i < 1_000; i++) {
      many.put(new HandlerName("handler-" + i), new Attempts(i, 0, 0));
    }
    one.begin(1);
    one.details = new DetailFigures(many, Map.of());
    pass(FigurePeriod.LENGTH, one);

    assertThat(one.desk.lastMinute().handlers())
        .hasSize(DetailFigures.MOST_TOLD)
        .containsKey(new HandlerName("handler-800"))
        .doesNotContainKey(new HandlerName("handler-799"));
  }

  @Test
  void who_goes_on_after_the_last_period_gets_those_after_it() {
    one.begin(1);
    pass(FigurePeriod.LENGTH.multipliedBy(4), one);
    List<ClusterPeriod> all = one.periods();

    List<ClusterPeriod> rest = one.desk.figures(FigurePeriod.begin(all.get(1).number())).periods();

    assertThat(all).hasSize(4);
    assertThat(rest).containsExactlyElementsOf(all.subList(2, 4));
  }

  @Test
  void a_period_is_over_when_each_living_node_has_told_its_part_or_after_fifteen_seconds() {
    one.begin(1);
    other.begin(2);
    pass(FigurePeriod.LENGTH, one, other);
    assertThat(one.periods()).hasSize(1);

    liveness.renew(other.life.orElseThrow());
    pass(FigurePeriod.LENGTH, one);
    assertThat(one.periods()).hasSize(1);
    other.run();
    assertThat(one.periods()).hasSize(2);

    pass(FigurePeriod.LENGTH.multipliedBy(2), one);
    assertThat(one.periods()).hasSize(2);
    pass(Duration.ofSeconds(10), one);
    assertThat(one.periods()).hasSize(3);
    assertThat(one.periods().getLast().nodes()).isEqualTo(1);
  }

  @Test
  void a_dead_node_is_not_waited_for_and_is_shown_for_an_hour() {
    one.begin(1);
    other.begin(2);
    pass(FigurePeriod.LENGTH, one, other);
    other.dies();
    pass(FigurePeriod.LENGTH, one);

    assertThat(one.periods()).hasSize(2);
    ClusterState state = one.desk.state();
    assertThat(state.nodes()).extracting(ClusterNode::name).containsExactly("one", "other");
    assertThat(state.nodes()).extracting(ClusterNode::isDead).containsExactly(false, true);
    assertThat(state.alarms())
        .extracting(ClusterAlarm::text)
        .containsExactly("node other: not heard of in time, and counts as dead");

    pass(Duration.ofHours(1), one);
    assertThat(one.desk.state().nodes()).extracting(ClusterNode::name).containsExactly("one");
    assertThat(one.desk.state().alarms()).isEmpty();
  }

  @Test
  void what_a_dead_node_told_is_removed_in_the_second_hour() {
    one.begin(1);
    other.begin(2);
    pass(Duration.ofMinutes(2), one, other);
    other.dies();
    pass(Duration.ofMinutes(125), one);

    long present = FigurePeriod.of(now);
    assertThat(store.figures(0, present)).hasSize(FigurePeriod.KEPT);
  }

  @Test
  void a_node_that_stops_is_not_missed_and_its_last_figures_count() {
    one.begin(1);
    other.begin(2);
    pass(FigurePeriod.LENGTH, one, other);
    other.accepted = 9;
    other.step.finish();
    liveness.retire(other.life.orElseThrow());
    pass(FigurePeriod.LENGTH, one);

    assertThat(one.desk.state().nodes()).extracting(ClusterNode::name).containsExactly("one");
    assertThat(one.periods().getLast().figures().tasks().accepted()).isEqualTo(9);
  }

  @Test
  void a_process_that_lives_on_under_another_id_is_not_dead() {
    one.begin(1);
    pass(FigurePeriod.LENGTH, one);
    one.dies();
    one.begin(3);
    pass(FigurePeriod.LENGTH, one);

    assertThat(one.desk.state().nodes())
        .singleElement()
        .satisfies(node -> assertThat(node.isDead()).isFalse());
  }

  @Test
  void while_the_store_is_away_a_node_shows_its_own_figures_and_says_so() {
    one.begin(1);
    other.begin(2);
    pass(FigurePeriod.LENGTH, one, other);
    isAway = true;
    one.accepted = 5;
    pass(FigurePeriod.LENGTH, one, other);
    one.accepted = 6;
    pass(FigurePeriod.LENGTH, one, other);

    ClusterFigures figures = one.desk.figures(null);
    ClusterState state = one.desk.state();

    assertThat(figures.isOwnOnly()).isTrue();
    assertThat(figures.periods())
        .extracting(period -> period.figures().tasks().accepted())
        .containsExactly(0L, 5L, 6L);
    assertThat(state.nodes()).extracting(ClusterNode::name).containsExactly("one");
    assertThat(state.alarms())
        .extracting(ClusterAlarm::text)
        .containsExactly("the store does not answer; only the answering node is shown");

    isAway = false;
    pass(Duration.ofSeconds(5), one, other);
    assertThat(other.desk.figures(null).isOwnOnly()).isFalse();
    assertThat(other.periods())
        .extracting(period -> period.figures().tasks().accepted())
        .containsExactly(0L, 5L, 6L, 0L);
  }

  @Test
  void without_a_life_figures_wait_for_the_next_one() {
    one.begin(1);
    pass(FigurePeriod.LENGTH, one);
    one.dies();
    one.life = Optional.empty();
    one.accepted = 5;
    pass(FigurePeriod.LENGTH, one);
    assertThat(one.periods()).hasSize(1);

    one.begin(4);
    assertThat(one.periods())
        .extracting(period -> period.figures().tasks().accepted())
        .containsExactly(0L, 5L);
  }

  @Test
  void an_hour_is_kept_however_long_the_store_is_away() {
    one.begin(1);
    isAway = true;
    pass(Duration.ofHours(2), one);

    assertThat(one.periods()).hasSize(FigurePeriod.KEPT - 4);

    isAway = false;
    writes = 0;
    one.run();
    assertThat(writes).isEqualTo(FigurePeriod.KEPT / 60);
    assertThat(one.periods()).hasSizeGreaterThan(FigurePeriod.KEPT - 5);
  }

  @Test
  void a_period_is_one_write() {
    one.begin(1);
    writes = 0;

    pass(Duration.ofMinutes(10), one);

    assertThat(writes).isEqualTo(120);
  }

  @Test
  void a_clock_that_is_set_back_neither_stops_nor_rewrites_figures() {
    one.begin(1);
    one.accepted = 5;
    pass(FigurePeriod.LENGTH.multipliedBy(2), one);
    now = now.minusSeconds(7);
    one.accepted = 70;
    one.run();
    pass(Duration.ofSeconds(20), one);

    assertThat(one.periods().getFirst().figures().tasks().accepted()).isEqualTo(5);
    assertThat(one.periods()).hasSize(4);
  }

  @Test
  void the_nodes_that_answer_are_those_of_the_liveness() {
    one.begin(1);
    LivenessStore.Renewal renewal = liveness.alive().getFirst();

    assertThat(one.desk.state().nodes())
        .singleElement()
        .satisfies(node -> assertThat(node.seenAt()).isEqualTo(renewal.at()));
  }

  private static RouteFigures route(String node, long takenOver) {
    return new RouteFigures(
        node,
        "default",
        "in",
        "out",
        "dead",
        List.of(),
        List.of(),
        takenOver,
        RouteFigures.Amendments.NONE);
  }

  @Test
  void routes_are_those_of_all_nodes_until_they_stop_or_are_silent() {
    one.routes = List.of(route("one", 1));
    other.routes = List.of(route("other", 2));
    one.begin(1);
    other.begin(2);
    one.routes = List.of(route("one", 3));
    pass(Duration.ofSeconds(5), one, other);

    assertThat(other.desk.routes())
        .singleElement()
        .satisfies(route -> {
          assertThat(route.name()).isEqualTo("default");
          assertThat(route.told()).containsExactly(route("one", 3), route("other", 2));
        });
    other.step.finish();
    assertThat(one.desk.routes().getFirst().told()).containsExactly(route("one", 3));
    pass(Duration.ofSeconds(60), other);
    assertThat(one.desk.routes().stream().flatMap(route -> route.told().stream()))
        .containsExactly(route("other", 2));
  }
}
