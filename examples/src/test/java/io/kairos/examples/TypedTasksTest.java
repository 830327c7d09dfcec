package io.kairos.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.kairos.client.Task;
import io.kairos.client.TaskNotSucceededException;
import io.kairos.client.TaskRequest;
import io.kairos.client.task.TaskId;
import io.kairos.client.task.TaskState;
import io.kairos.examples.TypedTasks.Resize;
import io.kairos.examples.TypedTasks.Resized;
import io.kairos.junit.KairosExtension;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class TypedTasksTest {
  @RegisterExtension static final KairosExtension KAIROS = new KairosExtension();

  @Test
  void a_task_of_a_type_is_performed_after_its_delay_and_its_value_is_awaited() {
    try (TypedTasks tasks = new TypedTasks(KAIROS.address())) {
      TaskId task = tasks.schedule(new Resize("42.png", 300));
      KAIROS.advance(Duration.ofMinutes(4));
      assertThat(KAIROS.client().get(task).state()).isEqualTo(TaskState.NEW);

      KAIROS.advance(Duration.ofMinutes(1));

      assertThat(tasks.await(task))
          .contains(new Resized("https://pictures.example.com/300/42.png"));
      Task kept = KAIROS.client().get(task);
      assertThat(kept.priority()).isEqualTo(70);
      assertThat(kept.key()).isEqualTo("42.png");
      assertThat(kept.retryPolicy().maxAttempts()).isEqualTo(3);
    }
  }

  @Test
  void a_payload_that_does_not_parse_fails_for_good_and_says_where() {
    try (TypedTasks tasks = new TypedTasks(KAIROS.address())) {
      TaskId task =
          KAIROS
              .client()
              .schedule(TaskRequest.to("resize").payload("{\"width\":\"wide\"}").build());
      KAIROS.awaitQuiescence();

      TaskNotSucceededException failed =
          catchThrowableOfType(TaskNotSucceededException.class, () -> tasks.await(task));

      assertThat(failed)
          .hasMessageContaining(Resize.class.getName() + " cannot be read from JSON")
          .hasMessageContaining("expected int at $.width in line 1")
          .hasMessageNotContaining("wide");
      Task kept = KAIROS.client().get(task);
      assertThat(kept.state()).isEqualTo(TaskState.FAILED);
      assertThat(kept.attempt()).isEqualTo(1);
      assertThat(kept.failures().getFirst().errorClass()).endsWith("InvalidFormatException");
    }
  }
}
