package io.kairos.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.queue.HandlerName;
import io.kairos.domain.task.queue.PoolName;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.cluster.ClusterNode;
import io.kairos.engine.cluster.ClusterStore;
import io.kairos.engine.cluster.DetailFigures;
import io.kairos.engine.cluster.DetailFigures.Attempts;
import io.kairos.engine.cluster.DetailFigures.Endpoint;
import io.kairos.engine.cluster.DetailFigures.EndpointWork;
import io.kairos.engine.cluster.FigurePeriod;
import io.kairos.engine.cluster.LatenessCounts;
import io.kairos.engine.cluster.NodeDetails;
import io.kairos.engine.cluster.NodeFigures;
import io.kairos.engine.cluster.NodeState;
import io.kairos.engine.cluster.PeriodFigures;
import io.kairos.engine.cluster.RouteFigures;
import io.kairos.engine.cluster.WaitingCounts;
import io.kairos.engine.cluster.WaitingCounts.Bar;
import io.kairos.engine.cluster.WaitingCounts.Count;
import io.kairos.engine.cluster.WaitingSpan;
import io.kairos.engine.cluster.WorkFigures;
import io.kairos.engine.node.LivenessStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract of every {@link ClusterStore}, checked from outside through the port. */
public abstract class ClusterStoreContract {
  private static final NodeId ONE = new NodeId(new UUID(1, 1));
  private static final NodeId OTHER = new NodeId(new UUID(2, 2));
  private static final Duration LAPSE = Duration.ofMinutes(5);

  @SuppressWarnings("NullAway.Init") // before each test
  private Stores stores;

  @SuppressWarnings("NullAway.Init") // before each test
  private ClusterStore store;

  private long present;

  /** A store without figures and nodes, in which nothing waits, and the liveness beside it. */
  public record Stores(ClusterStore cluster, LivenessStore liveness) {}

  @BeforeEach
  void openStore() {
    stores = open();
    store = stores.cluster();
    present = FigurePeriod.of(store.now());
  }

  /** Opens empty stores. */
  protected abstract Stores open();

  /** Makes tasks, messages and next fire times of schedules wait for these times. */
  protected abstract void waits(List<Long> tasks, List<Long> messages, List<Long> fires);

  private static NodeState state(String name) {
    return new NodeState(
        name,
        "1.2.3",
        List.of("tasks", "delay"),
        Duration.ofMillis(-12),
        0.25,
        123_456_789,
        List.of("the store takes no tasks in"));
  }

  private static PeriodFigures figures(long accepted) {
    return new PeriodFigures(
        new WorkFigures(
            accepted, 2, 3, LatenessCounts.ofOne(Duration.ofMillis(7)), Duration.ofSeconds(4)),
        new WorkFigures(5, 6, 7, LatenessCounts.NONE, null),
        8,
        9,
        10,
        11,
        12,
        13,
        Map.of("orders", 14L, "invoices", 15L),
        Duration.ofMillis(16));
  }

  private static NodeFigures told(NodeId node, long period, long accepted) {
    return new NodeFigures(node, period, state("host-1"), figures(accepted), false);
  }

  private static NodeFigures bare(NodeId node, long period, String name, boolean isLast) {
    NodeState state = new NodeState(name, "", List.of(), null, null, 0, List.of());
    return new NodeFigures(node, period, state, PeriodFigures.NONE, isLast);
  }

  @Test
  void what_nodes_tell_is_read_with_all_of_its_parts_the_earliest_first() {
    NodeFigures first = told(ONE, present - 2, 1);
    NodeFigures second = bare(OTHER, present - 1, "host-2", false);
    NodeFigures third = told(ONE, present, 70);

    store.write(List.of(third));
    store.write(List.of(first, second));

    assertThat(store.figures(present - 2, present))
        .containsExactly(first.withoutState(), second.withoutState(), third.withoutState());
    assertThat(store.figures(present - 1, present - 1)).containsExactly(second.withoutState());
    assertThat(store.figures(present + 1, present + 10)).isEmpty();
  }

  @Test
  void a_period_that_is_told_again_is_that_of_the_last_time() {
    store.write(List.of(told(ONE, present, 1)));
    store.write(List.of(told(ONE, present, 2)));

    assertThat(store.figures(present, present))
        .containsExactly(told(ONE, present, 2).withoutState());
  }

  @Test
  void a_node_keeps_an_hour_and_no_more() {
    long firstOfAll = present - 2L * FigurePeriod.KEPT;
    for (long period = firstOfAll; period < present; period += 60) {
      store.write(List.of(told(ONE, period, 1)));
    }

    assertThat(store.figures(firstOfAll, firstOfAll + FigurePeriod.KEPT - 1)).isEmpty();
    assertThat(store.figures(present - FigurePeriod.KEPT, present)).hasSize(12);
  }

  @Test
  void an_earlier_hour_never_replaces_a_later_one() {
    store.write(List.of(told(ONE, present, 1)));
    store.write(List.of(told(ONE, present - FigurePeriod.KEPT, 2)));

    assertThat(store.figures(present, present))
        .containsExactly(told(ONE, present, 1).withoutState());
  }

  @Test
  void what_a_gone_node_told_an_hour_ago_is_removed_and_nothing_else() {
    store.write(List.of(told(OTHER, present - FigurePeriod.KEPT - 1, 1)));
    store.write(List.of(told(OTHER, present - FigurePeriod.KEPT + 5, 1)));
    store.write(List.of(told(ONE, present - 1, 1)));

    assertThat(store.prune(present - 3, present)).isEqualTo(1);
    assertThat(store.prune(present - 3, present)).isZero();
    assertThat(store.figures(present - 1, present)).hasSize(1);
    assertThat(store.figures(present - FigurePeriod.KEPT + 5, present)).hasSize(2);
  }

  private static DetailFigures details(long begun) {
    return new DetailFigures(
        Map.of(
            new HandlerName("resize"), new Attempts(begun, 2, 1),
            new PoolName("billing"), new Attempts(3, 0, 0)),
        Map.of(
            new Endpoint(new PoolName("billing"), "http://10.0.0.1:8080/jobs"),
            new EndpointWork(4, 1, 5, LatenessCounts.ofOne(Duration.ofMillis(7))),
            new Endpoint(new PoolName("billing"), "http://10.0.0.2:8080/jobs"),
            new EndpointWork(6, 0, 0, LatenessCounts.NONE)));
  }

  @Test
  void the_last_minute_of_a_node_is_what_it_told_last_with_all_of_its_parts() {
    NodeDetails other = new NodeDetails(OTHER, present, DetailFigures.NONE);
    store.tell(new NodeDetails(ONE, present - 1, details(7)));
    store.tell(other);
    NodeDetails last = new NodeDetails(ONE, present, details(8));
    store.tell(last);

    assertThat(store.details(present)).containsExactlyInAnyOrder(last, other);
    assertThat(store.details(present + 1)).isEmpty();
  }

  @Test
  void the_last_minute_of_a_life_that_has_ended_does_not_count() {
    stores.liveness().enrol(ONE, LAPSE);
    Instant enrolled = stores.liveness().enrol(OTHER, LAPSE);
    store.tell(new NodeDetails(ONE, present, details(7)));
    store.tell(new NodeDetails(OTHER, present, details(7)));

    stores.liveness().retire(ONE);
    assertThat(store.details(present)).extracting(NodeDetails::node).containsExactly(OTHER);

    stores.liveness().declareDead(new LivenessStore.Renewal(OTHER, enrolled, LAPSE));
    assertThat(store.details(present)).isEmpty();
  }

  @Test
  void a_last_minute_that_is_long_past_is_removed() {
    store.tell(new NodeDetails(ONE, present - 30, details(7)));
    store.tell(new NodeDetails(OTHER, present - 24, details(7)));

    assertThat(store.prune(present - 24, present - 13)).isZero();

    assertThat(store.details(0)).extracting(NodeDetails::node).containsExactly(OTHER);
  }

  private static RouteFigures route(String node, String route, long takenOver) {
    return new RouteFigures(
        node,
        route,
        "in",
        "out",
        "dead",
        List.of(new RouteFigures.Input(0, 4_000_000_000L, -1), new RouteFigures.Input(7, 2, 3)),
        List.of(new RouteFigures.Lane("out", -1, "its partitions are not known", 9)),
        takenOver,
        new RouteFigures.Amendments(1, 2, 3));
  }

  @Test
  void what_is_told_of_routes_replaces_what_the_node_told_before() {
    RouteFigures bare =
        new RouteFigures(
            "two", "a", "in", "out", "dead", List.of(), List.of(), 0, RouteFigures.Amendments.NONE);
    store.tellRoutes(ONE, present - 1, List.of(route("one", "a", 1), route("one", "b", 2)));
    store.tellRoutes(OTHER, present - 1, List.of(bare));
    store.tellRoutes(ONE, present, List.of(route("one", "a", 3), route("one", "b", 4)));

    assertThat(store.toldRoutes(present - 1))
        .containsExactlyInAnyOrder(route("one", "a", 3), route("one", "b", 4), bare);
    assertThat(store.toldRoutes(present))
        .containsExactlyInAnyOrder(route("one", "a", 3), route("one", "b", 4));
  }

  @Test
  void a_node_that_stops_and_nodes_that_are_gone_are_forgotten() {
    store.tellRoutes(ONE, present - 20, List.of(route("one", "a", 1)));
    store.tellRoutes(OTHER, present, List.of(route("two", "a", 1)));

    store.prune(present - 10, present - 5);
    assertThat(store.toldRoutes(0)).containsExactly(route("two", "a", 1));
    store.tellRoutes(OTHER, present, List.of());
    assertThat(store.toldRoutes(0)).isEmpty();
  }

  @Test
  void a_living_node_is_listed_as_it_described_itself_last() {
    stores.liveness().enrol(ONE, LAPSE);
    Instant renewed = stores.liveness().renew(ONE).orElseThrow();
    store.write(List.of(bare(ONE, present - 1, "former name", false)));
    store.write(List.of(told(ONE, present, 1)));

    List<ClusterNode> nodes = store.nodes(present - 10);

    assertThat(nodes)
        .singleElement()
        .satisfies(node -> {
          assertThat(node.id()).isEqualTo(ONE);
          assertThat(node.seenAt()).isEqualTo(renewed);
          assertThat(node.isDead()).isFalse();
          assertThat(node.state()).isEqualTo(state("host-1"));
          assertThat(node.hiccup()).isEqualTo(Duration.ofMillis(16));
        });
  }

  @Test
  void a_living_node_that_has_told_nothing_lately_is_listed_without_a_description() {
    stores.liveness().enrol(ONE, LAPSE);
    store.write(List.of(told(ONE, present - 20, 1)));

    assertThat(store.nodes(present - 10))
        .singleElement()
        .satisfies(node -> {
          assertThat(node.state()).isNull();
          assertThat(node.name()).isEqualTo("00000000");
        });
  }

  @Test
  void a_dead_node_is_listed_until_what_it_told_is_old() {
    Instant enrolled = stores.liveness().enrol(ONE, LAPSE);
    store.write(List.of(told(ONE, present - 5, 1)));
    stores.liveness().declareDead(new LivenessStore.Renewal(ONE, enrolled, LAPSE));

    assertThat(store.nodes(present - 10))
        .singleElement()
        .satisfies(node -> assertThat(node.isDead()).isTrue());
    stores.liveness().bury(Duration.ZERO);
    assertThat(store.nodes(present - 10))
        .singleElement()
        .satisfies(node -> assertThat(node.isDead()).isTrue());
    assertThat(store.nodes(present - 5)).isEmpty();
  }

  @Test
  void a_node_that_said_that_it_stops_is_not_missed() {
    stores.liveness().enrol(ONE, LAPSE);
    store.write(List.of(told(ONE, present - 1, 1)));
    store.write(List.of(bare(ONE, present, "host-1", true)));
    stores.liveness().retire(ONE);

    assertThat(store.nodes(present - 10)).isEmpty();
  }

  @Test
  void what_waits_is_counted_by_its_time_and_what_is_overdue_in_the_first_bar() {
    long now = EpochMicros.of(store.now());
    long begin = WaitingSpan.DAY.beginMicros(store.now());
    long bar = WaitingSpan.DAY.lengthMicros();
    List<Long> tasks =
        List.of(now - 7_000_000, now - 1, begin + bar, begin + 2 * bar - 1, begin + 48 * bar);
    List<Long> messages = List.of(now - 1, begin + 47 * bar, begin + 500 * bar);
    waits(tasks, messages, List.of(begin + 2 * bar, begin + 2 * bar + 1));

    WaitingCounts counts = store.waiting(WaitingSpan.DAY);

    assertThat(counts.bars()).hasSize(48).noneMatch(Bar::isEstimated);
    assertThat(bar(counts, 0).tasks()).isEqualTo(2);
    assertThat(bar(counts, 1).tasks()).isEqualTo(2);
    assertThat(counts.bars().stream().mapToLong(Bar::tasks).sum()).isEqualTo(4);
    assertThat(bar(counts, 0).messages()).isEqualTo(1);
    assertThat(bar(counts, 47).messages()).isEqualTo(1);
    assertThat(bar(counts, 2).fires()).isEqualTo(2);
    assertThat(counts.tasks()).isEqualTo(new Count(5, false));
    assertThat(counts.messages()).isEqualTo(new Count(3, false));
    assertThat(counts.overdueTasks().count()).isEqualTo(2);
    assertThat(counts.overdueMessages().count()).isEqualTo(1);
  }

  private static Bar bar(WaitingCounts counts, int index) {
    return counts.bars().get(index);
  }

  @Test
  void each_span_has_its_bars_one_after_the_other() {
    for (WaitingSpan span : WaitingSpan.values()) {
      List<Bar> bars = store.waiting(span).bars();

      assertThat(bars).hasSize(span.bars());
      for (int i = 1; i < bars.size(); i++) {
        assertThat(Duration.between(bars.get(i - 1).at(), bars.get(i).at()))
            .isEqualTo(EpochMicros.toDuration(span.lengthMicros()));
      }
    }
  }
}
