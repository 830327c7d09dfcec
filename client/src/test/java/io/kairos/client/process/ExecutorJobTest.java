package io.kairos.client.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.api.v1.Work;
import io.kairos.client.worker.TestAttempt;
import org.junit.jupiter.api.Test;

class ExecutorJobTest {
  @Test
  void an_executor_is_told_all_that_the_controller_knows_of_the_task() {
    Work work =
        new ExecutorJob(new byte[] {1, 2}, new TestAttempt("customer 7", () -> 1).context()).work();

    assertThat(work.getId()).isEqualTo(TestAttempt.ID);
    assertThat(work.getFence()).isEqualTo(12);
    assertThat(work.getHandler()).isEqualTo("resize");
    assertThat(work.getPriority()).isEqualTo(50);
    assertThat(work.getAttempt()).isEqualTo(3);
    assertThat(work.getRunAt().getSeconds()).isEqualTo(9);
    assertThat(work.getPayload().toByteArray()).containsExactly(1, 2);
    assertThat(work.getTraceparent()).isEqualTo("00-a-b-01");
    assertThat(work.getKey()).isEqualTo("customer 7");
    assertThat(work.getCollection()).isEqualTo("import");
  }
}
