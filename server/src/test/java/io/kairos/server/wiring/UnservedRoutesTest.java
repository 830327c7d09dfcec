package io.kairos.server.wiring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
  private boolean alone;
  private Map<String, RouteBacklog> backlogs = Map.of();
  private final UnservedRoutes routes =
      new UnservedRoutes(List.of("orders"), () -> backlogs, () -> alone, () -> now);
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
  void a_node_that_runs_alone_warns_of_all_messages_that_it_does_not_serve() {
    alone = true;
    backlogs = Map.of("default", due(3), "large", held(10_001), "empty", held(0), "orders", due(5));

    routes.look();
    routes.look();

    assertThat(lines.at(Level.WARN))
        .hasSize(2)
        .anyMatch(line ->
            line.endsWith("route=default pending=3") && line.contains("delay.routes.default"))
        .anyMatch(line -> line.endsWith("route=large pending=more than 10000"));
  }

  /** As beside nodes with a broker. */
  @Test
  void beside_other_nodes_messages_are_warned_of_once_they_are_overdue() {
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

  @Test
  void the_last_node_that_runs_warns_of_what_the_others_have_left() {
    backlogs = Map.of("default", held(1));
    routes.look();
    assertThat(lines.at(Level.WARN)).isEmpty();

    alone = true;
    routes.look();

    assertThat(lines.at(Level.WARN)).singleElement().asString().contains("route=default");
  }

  @Test
  void a_broker_that_nobody_has_named_is_refused_while_messages_need_one() {
    routes.refuse();
    backlogs = Map.of("default", due(3), "large", held(10_001), "orders", due(5));

    assertThatThrownBy(routes::refuse)
        .isInstanceOf(StartException.class)
        .hasMessageContaining("default (3), large (more than 10000)")
        .hasMessageContaining("kafka.bootstrap-servers is not set")
        .hasMessageContaining("kafka: none");
  }
}
