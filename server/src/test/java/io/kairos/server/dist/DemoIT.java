package io.kairos.server.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a newcomer sees first, as a process. */
@Timeout(300)
class DemoIT {
  @Test // CH-6, PD-11, PD-L13
  void the_demo_does_the_main_job_and_leaves_nothing_behind() throws Exception {
    List<ProcessHandle> engines;
    try (ServerProcess demo = ServerProcess.start("demo", "--messages=200")) {
      demo.awaitReady();
      engines = demo.engines();
      assertThat(engines).hasSizeGreaterThanOrEqualTo(2);
      assertThat(demo.awaitEnd(Duration.ofSeconds(200))).as(demo.printed()).isZero();
      assertThat(demo.printed())
          .contains("lost / duplicated / early = 0 / 0 / 0", "Where to go next");
    }
    assertThat(ServerProcess.leftOf(engines)).isEmpty();
  }
}
