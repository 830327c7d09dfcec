package io.kairos.examples.images;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.client.Task;
import io.kairos.client.task.TaskId;
import io.kairos.client.task.TaskState;
import io.kairos.junit.KairosNode;
import io.kairos.spring.test.KairosTest;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

@KairosTest(startingAt = "2030-01-01T00:00:00Z")
class ImagesTest {
  @Autowired KairosNode kairos;
  @Autowired Images images;

  @Test
  void an_image_is_resized_five_minutes_later() {
    TaskId id = images.resize(new Resize("42.png", 300));
    assertThat(kairos.client().get(id).state()).isEqualTo(TaskState.NEW);

    kairos.advance(Duration.ofMinutes(5));

    Task task = kairos.client().get(id);
    assertThat(task.state()).isEqualTo(TaskState.SUCCEEDED);
    assertThat(task.result()).isEqualTo("\"42-300.png\"");
  }
}
