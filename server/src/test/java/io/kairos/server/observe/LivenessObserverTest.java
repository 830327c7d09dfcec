package io.kairos.server.observe;

import static io.kairos.server.observe.Samples.NODE;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LivenessObserverTest {
  private final LogLines lines = new LogLines(LivenessObserver.class);
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final LivenessObserver observer = new LivenessObserver(registry);

  @AfterEach
  void close() {
    lines.close();
  }

  @Test
  void ch21_a_clock_out_of_bounds_is_an_error_once_and_its_return_told() {
    observer.clockOffset(Duration.ofMillis(100), true);
    observer.clockOffset(Duration.ofMillis(900), false);
    observer.clockOffset(Duration.ofMillis(901), false);
    observer.clockOffset(Duration.ofMillis(100), true);

    assertThat(lines.at(Level.ERROR)).singleElement().asString().contains("offsetMillis=900");
    assertThat(lines.at(Level.INFO)).hasSize(1);
  }

  @Test
  void ch20_a_new_id_is_told() {
    observer.enrolled(NODE);

    assertThat(lines.at(Level.INFO)).singleElement().asString().contains("node=" + NODE);
  }

  @Test
  void ch21_the_offset_of_the_clock_is_shown() {
    observer.clockOffset(Duration.ofMillis(-250), true);

    assertThat(registry.get("kairos.clock.offset").gauge().value()).isEqualTo(-0.25);
  }
}
