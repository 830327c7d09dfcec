package io.kairos.server.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.server.observe.RoundWatch;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class NodeSignsTest {
  /** So that the edge can refuse other names while it says why the node is not ready. */
  @Test
  void the_doors_are_known_before_the_node_has_started() {
    NodeSigns signs =
        new NodeSigns(
            new RoundWatch(Duration.ofMinutes(1), () -> 0),
            NodePart.doors(Configured.withoutBroker("jdbc:postgresql://h/d")));

    assertThat(signs.doors()).containsOnlyKeys("tasks", "schedules", "pools");
    assertThat(signs.doors().values()).containsOnly(List.of());
    assertThat(signs.obstacles()).containsExactly("the node is starting");
  }
}
