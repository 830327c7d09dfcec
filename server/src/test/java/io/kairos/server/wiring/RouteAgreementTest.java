package io.kairos.server.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.kairos.postgres.delay.RouteTopics;
import io.kairos.server.observe.LogLines;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two nodes and what they state in the store. */
class RouteAgreementTest {
  private static final RouteTopics OLD = new RouteTopics("old.in", "out");
  private static final RouteTopics NEW = new RouteTopics("new.in", "out");

  private final Map<String, RouteTopics> stated = new HashMap<>();
  private final LogLines lines = new LogLines(RouteAgreement.class);

  @AfterEach
  void close() {
    lines.close();
  }

  @Test
  void nodes_that_agree_are_silent() {
    start(OLD);
    start(OLD).look();

    assertThat(lines.at(Level.WARN)).isEmpty();
  }

  @Test
  void the_second_node_says_at_its_start_what_differs_and_the_first_soon_after_once() {
    RouteAgreement first = start(OLD);
    RouteAgreement second = start(NEW);
    assertThat(lines.at(Level.WARN))
        .singleElement()
        .asString()
        .contains("route=orders", "here=new.in to out", "elsewhere=old.in to out");
    first.look();
    first.look();
    second.look();

    assertThat(lines.at(Level.WARN)).hasSize(2);
    assertThat(first.differences()).singleElement().asString().contains("new.in");
    assertThat(second.differences()).isEmpty();
  }

  private RouteAgreement start(RouteTopics topics) {
    RouteAgreement node = new RouteAgreement(Map.of("orders", topics), () -> Map.copyOf(stated));
    node.state((route, mine) -> Optional.ofNullable(stated.put(route, mine)));
    return node;
  }
}
