package io.kairos.server.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.kairos.server.observe.LogLines;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class UnservedRoutesTest {
  @Test
  void messages_of_a_route_that_is_not_served_are_warned_of_with_count_and_remedy() {
    try (LogLines lines = new LogLines(UnservedRoutes.class)) {
      UnservedRoutes.warn(
          Map.of("default", 3, "large", 10_001, "empty", 0, "orders", 5), List.of("orders"));

      assertThat(lines.at(Level.WARN))
          .hasSize(2)
          .anyMatch(line ->
              line.endsWith("route=default pending=3") && line.contains("delay.routes.default"))
          .anyMatch(line -> line.endsWith("route=large pending=more than 10000"));
    }
  }
}
