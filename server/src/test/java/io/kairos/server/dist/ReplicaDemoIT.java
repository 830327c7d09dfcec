package io.kairos.server.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Three replicas of the packed application, each a process. */
@Timeout(300)
class ReplicaDemoIT {
  @Test
  void the_demo_kills_one_and_wipes_one_and_all_are_equal_in_the_end() throws Exception {
    try (ServerProcess demo = ServerProcess.start("replica", "demo")) {
      assertThat(demo.awaitEnd(Duration.ofSeconds(280))).as(demo.printed()).isZero();
      assertThat(demo.printed())
          .contains("The next tick was executed", "All three are equal", "Where to go next");
    }
  }
}
