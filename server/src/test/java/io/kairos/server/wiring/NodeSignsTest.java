package io.kairos.server.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.engine.audit.AuditEvents;
import io.kairos.engine.audit.AuditedCall;
import io.kairos.engine.audit.FinishedCalls;
import io.kairos.server.observe.RoundWatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class NodeSignsTest {
  /** So that the edge can refuse other names while it says why the node is not ready. */
  @Test
  void the_doors_are_known_before_the_node_has_started() {
    NodeSigns signs =
        new NodeSigns(
            new RoundWatch(Duration.ofMinutes(1), () -> 0),
            NodePart.doors(Configured.withoutBroker("jdbc:postgresql://h/d")),
            new FinishedCalls(() -> 0, AuditEvents.NONE));

    assertThat(signs.doors()).containsOnlyKeys("tasks", "schedules", "pools");
    assertThat(signs.doors().values()).containsOnly(List.of());
    assertThat(signs.obstacles()).containsExactly("the node is starting");
  }

  @Test
  void what_is_refused_before_the_node_has_its_store_is_recorded() {
    List<String> recorded = new ArrayList<>();
    FinishedCalls finished =
        new FinishedCalls(
            () -> 0,
            new AuditEvents() {
              @Override
              public void recorded(AuditedCall call, String outcome, long more) {
                recorded.add(call.action() + " " + outcome);
              }

              @Override
              public void lost(int entries) {}

              @Override
              public void undecided(OptionalInt entries) {}
            });
    NodeSigns signs =
        new NodeSigns(new RoundWatch(Duration.ofMinutes(1), () -> 0), List.of(), finished);

    signs.refused(new AuditedCall(null, "10.0.0.9", "SetPause", "", "", ""), "UNAUTHENTICATED");

    assertThat(recorded).containsExactly("SetPause UNAUTHENTICATED");
  }
}
