package io.kairos.server.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.kairos.domain.time.EpochMicros;
import io.kairos.postgres.delay.RouteBacklog;
import io.kairos.server.observe.LogLines;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class UnservedRoutesTest {
  private static final Instant DUE = Instant.parse("2030-01-01T00:00:00Z");

  private Instant now = DUE;
  private Map<String, RouteBacklog> backlogs = Map.of();
  private final UnservedRoutes routes =
      new UnservedRoutes(List.of("orders"), () -> backlogs, () -> now);
  private final LogLines lines = new LogLines(UnservedRoutes.class);

  @AfterEach
  void close() {
    lines.close();
  }

  private static RouteBacklog due(int pending) {
    return new RouteBacklog(pending, OptionalLong.of(EpochMicros.of(DUE)));
  }

  private static RouteBacklog held(int pending) {
    return new RouteBacklog(pending, OptionalLong.empty());
  }

  @Test
  void messages_of_a_route_that_is_not_served_are_warned_of_with_count_and_remedy() {
    backlogs = Map.of("default", due(3), "large", held(10_001), "empty", held(0), "orders", due(5));

    routes.begin();

    assertThat(lines.at(Level.WARN))
        .hasSize(2)
        .anyMatch(line ->
            line.endsWith("route=default pending=3") && line.contains("delay.routes.default"))
        .anyMatch(line -> line.endsWith("route=large pending=more than 10000"));
  }

  @Test
  void messages_that_come_later_are_warned_of_once_they_are_overdue() {
    routes.begin();
    backlogs = Map.of("default", due(1), "orders", due(1), "elsewhere", held(1));

    now = DUE.plus(Duration.ofMinutes(1));
    routes.look();
    assertThat(lines.at(Level.WARN)).isEmpty();

    now = now.plusSeconds(1);
    routes.look();
    routes.look();
    assertThat(lines.at(Level.WARN)).singleElement().asString().contains("route=default");

    backlogs = Map.of("default", held(1));
    routes.look();
    backlogs = Map.of("default", due(2));
    routes.look();
    assertThat(lines.at(Level.WARN)).hasSize(2);
  }
}
