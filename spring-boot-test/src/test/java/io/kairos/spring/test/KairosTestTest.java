package io.kairos.spring.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.client.task.TaskId;
import io.kairos.junit.KairosNode;
import io.kairos.spring.KairosHandler;
import io.kairos.spring.KairosSchedule;
import io.kairos.spring.KairosTask;
import io.kairos.spring.KairosTasks;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Import;

@KairosTest(
    startingAt = "2030-01-01T00:00:00Z",
    properties = {"spring.application.name=images", "kairos.mode=in-process"})
class KairosTestTest {
  record Resize(String picture) {}

  @KairosTasks
  interface Images {
    @KairosTask(name = "resize-image", delay = "5m")
    TaskId resize(Resize resize);

    @KairosTask("resize-image")
    void resize(Resize resize, Duration later);
  }

  static class Resizer {
    final List<String> done = new CopyOnWriteArrayList<>();

    @KairosHandler(name = "resize-image", attempts = 3)
    void resize(Resize resize) {
      done.add(resize.picture());
    }

    @KairosSchedule(name = "nightly", cron = "0 3 * * *")
    void report() {
      done.add("report");
    }
  }

  @SpringBootApplication
  @Import(Resizer.class) // components within a test are not looked for
  static class Application {}

  @Autowired KairosNode kairos;
  @Autowired Images images;
  @Autowired Resizer resizer;

  @Test
  void time_stands_still_until_the_test_turns_it() {
    assertThat(kairos.now()).isEqualTo(Instant.parse("2030-01-01T00:00:00Z"));
    TaskId id = images.resize(new Resize("42.png"));
    images.resize(new Resize("43.png"), Duration.ofHours(1));

    kairos.advance(Duration.ofMinutes(4));
    assertThat(resizer.done).isEmpty();
    kairos.advance(Duration.ofMinutes(1));
    assertThat(resizer.done).containsExactly("42.png");
    kairos.advance(Duration.ofHours(3));

    assertThat(resizer.done).containsExactly("42.png", "43.png", "report");
    assertThat(kairos.client().get(id).retryPolicy().maxAttempts()).isEqualTo(3);
    assertThat(images).hasToString("tasks of " + Images.class.getName()).isEqualTo(images);
  }
}
