package io.kairos.model.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.delay.ControlHeaders;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.task.queue.TopicName;
import io.kairos.engine.delay.setup.DelayEvents;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Outcomes of control records on their way to the results topics. */
final class TellingTest {
  private static final int MORE_THAN_A_ROUND = 600;

  private final CrankedWorld world = new CrankedWorld();
  private final List<String> refused = new ArrayList<>();

  private final DelayEvents refusals =
      new DelayEvents() {
        @Override
        public void resultRefused(RouteId route, TopicName topic, String why) {
          refused.add(topic.value());
        }
      };

  @BeforeEach
  void create_topics() {
    world.createTopics("a", 1);
    world.createTopics("b", 1);
  }

  @Test
  void outcomes_of_a_route_are_adopted_by_a_node_that_serves_it_and_no_other() {
    CrankedNode first = world.node("a").begin();
    cancel("a", "gone");
    first.takeIn("a");
    world.letPass(Duration.ofSeconds(5)); // the first one has died

    CrankedNode other = world.node("b").begin();
    other.live(Duration.ofSeconds(2));
    other.crank("takeover", "tell-b");
    assertThat(world.records("a-results")).isEmpty();

    CrankedNode successor = world.node("a").begin();
    successor.live(Duration.ofSeconds(2));
    successor.crank("takeover", "tell-a");
    assertThat(outcomes("a-results")).containsExactly("gone unknown-id");
  }

  @Test
  void an_outcome_that_the_topic_refuses_is_counted_and_holds_up_no_other() {
    CrankedNode node = world.node(world.ports(refusals), "a").begin();
    world.broker.limitRecords("a-results", 500);
    cancel("a", "a long key ".repeat(100), "refused");
    cancel("a", "short");
    node.takeIn("a");

    node.crank("tell-a", "tell-a");

    assertThat(outcomes("a-results")).containsExactly("short unknown-id");
    assertThat(refused).containsExactly("a-results");
  }

  @Test
  void a_dead_results_topic_holds_up_no_other_route() {
    CrankedNode node = world.node("a", "b").begin();
    world.broker.setDead("a-results", 0, true);
    cancel("a", "x");
    cancel("b", "y");
    node.takeIn("a").takeIn("b");

    node.crank("tell-a", "tell-b");
    assertThat(outcomes("b-results")).containsExactly("y unknown-id");

    world.broker.setDead("a-results", 0, false);
    node.live(Duration.ofSeconds(5)); // when it is tried again
    node.crank("tell-a");
    assertThat(outcomes("a-results")).containsExactly("x unknown-id");
  }

  @Test
  void many_outcomes_for_a_dead_partition_do_not_starve_those_for_another() {
    world.broker.grow("a-results", 2);
    CrankedNode node = world.node("a").begin();
    world.broker.setDead("a-results", 1, true);
    for (int i = 0; i < MORE_THAN_A_ROUND; i++) {
      cancel("a", world.keyOf(1, 2), "to the dead one " + i);
    }
    cancel("a", world.keyOf(0, 2), "to the live one");
    node.takeIn("a");

    node.crank("tell-a", "tell-a");

    assertThat(outcomes("a-results")).containsExactly("to the live one unknown-id");
  }

  @Test
  void a_partition_that_does_not_answer_is_waited_for_once() {
    world.broker.grow("a-results", 2);
    CrankedNode node = world.node("a").begin();
    world.setSilent("a-results", 1);
    cancel("a", world.keyOf(1, 2), "silent 1");
    cancel("a", world.keyOf(1, 2), "silent 2");
    node.takeIn("a").crank("tell-a");

    for (int i = 0; i < 20; i++) {
      node.live(Duration.ofSeconds(1));
      node.crank("takeover"); // the wait has cost it a life
      cancel("a", world.keyOf(0, 2), "live " + i);
      node.takeIn("a");
      Instant before = world.trueTime();
      node.crank("tell-a");
      assertThat(world.trueTime()).isEqualTo(before);
    }
    assertThat(outcomes("a-results")).hasSize(20);

    world.answer();
    world.setSilent(false);
    node.crank("tell-a", "tell-a");
    RouteId route = world.store.route("a");
    assertThat(world.store.untold(node.life.id().orElseThrow(), route, 0, 10)).isEmpty();
  }

  private void cancel(String route, String key, String id) {
    world.send(route, key, ControlHeaders.CONTROL, "cancel", ControlHeaders.ID, id);
  }

  private void cancel(String route, String id) {
    cancel(route, "any key", id);
  }

  private List<String> outcomes(String topic) {
    return world.headers(topic, ControlHeaders.ID, ControlHeaders.OUTCOME);
  }
}
