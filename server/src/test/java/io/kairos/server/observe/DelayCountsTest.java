package io.kairos.server.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.node.NodeId;
import io.kairos.engine.loop.Next;
import io.kairos.engine.loop.Step;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class DelayCountsTest {
  private static final NodeId NODE = new NodeId(new UUID(1, 1));
  private static final Next REST = Next.after(Duration.ofSeconds(1));

  private final DelayCounts counts = new DelayCounts();

  private Step step(String name, Runnable round) {
    return counts.count(
        new Step() {
          @Override
          public String name() {
            return name;
          }

          @Override
          public Next runOnce() {
            round.run();
            return REST;
          }
        });
  }

  @Test
  void a_round_counts_what_its_step_has_told() {
    Step claim =
        step(
            "claim",
            () -> {
              counts.claimed(5);
              counts.deferred(2);
            });
    Step takeover = step("takeover", () -> counts.takenOver(NODE, true, List.of()));

    assertThat(claim.runOnce()).isEqualTo(REST.having(7));
    assertThat(claim.runOnce()).isEqualTo(REST.having(7));
    assertThat(takeover.runOnce()).isEqualTo(REST);
    assertThat(claim.name()).isEqualTo("claim");
  }

  @Test
  void what_does_not_look_for_work_is_left_as_it_is() {
    assertThat(step("settle", () -> counts.claimed(1)).runOnce()).isEqualTo(REST);
  }
}
