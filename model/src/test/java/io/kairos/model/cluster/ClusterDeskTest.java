package io.kairos.model.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.node.NodeId;
import io.kairos.engine.cluster.ClusterAlarm;
import io.kairos.engine.cluster.ClusterDesk;
import io.kairos.engine.cluster.ClusterFigures;
import io.kairos.engine.cluster.ClusterFigures.ClusterPeriod;
import io.kairos.engine.cluster.ClusterNode;
import io.kairos.engine.cluster.ClusterState;
import io.kairos.engine.cluster.FigurePeriod;
import io.kairos.engine.cluster.FiguresStep;
import io.kairos.engine.cluster.LatenessCounts;
import io.kairos.engine.cluster.NodeFigures;
import io.kairos.engine.cluster.NodePeriod;
import io.kairos.engine.cluster.NodeSample;
import io.kairos.engine.cluster.NodeState;
import io.kairos.engine.cluster.PeriodFigures;
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
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Nodes that share figures through a store, and what one of them says of all. */
class ClusterDeskTest {
  private static final Duration LAPSE = Duration.ofSeconds(2);

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
    private final List<Duration> late = new ArrayList<>();
    private final FiguresStep step;
    private final ClusterDesk desk;

    private TestedNode(String name) {
      this.name = name;
      this.step = new FiguresStep(new FiguresStep.Ports(store, () -> life, this::take, () -> now));
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
          PeriodFigures.ofTasks(work, 0, 0, 0));
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
}
