package io.kairos.server.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The form of the dashboard. */
class DashboardTest {
  private static final String SOURCE = "${datasource}";

  @Test
  void every_panel_has_a_unit_and_says_what_it_shows() {
    assertThat(Dashboard.panels())
        .hasSizeGreaterThan(50)
        .allSatisfy(panel -> {
          assertThat(panel.path("title").asText()).isNotEmpty();
          assertThat(panel.path("description").asText()).endsWith(".");
          assertThat(panel.path("fieldConfig").path("defaults").path("unit").asText()).isNotEmpty();
          assertThat(panel.path("targets")).isNotEmpty();
        });
  }

  @Test
  void the_reader_chooses_the_data_source() {
    List<JsonNode> sources = Dashboard.json().findValues("datasource");

    assertThat(sources)
        .isNotEmpty()
        .allSatisfy(source -> assertThat(source.path("uid").asText()).isEqualTo(SOURCE));
    assertThat(AlertRules.elements(Dashboard.json().path("templating").path("list")))
        .extracting(variable -> variable.path("name").asText())
        .containsExactly("datasource", "node", "replica");
  }

  @Test
  void panels_have_numbers_of_their_own_and_do_not_overlap() {
    List<JsonNode> all = AlertRules.elements(Dashboard.json().path("panels")).toList();

    assertThat(all).extracting(panel -> panel.path("id").asInt()).doesNotHaveDuplicates();
    for (JsonNode one : all) {
      assertThat(all)
          .filteredOn(
              other -> !other.equals(one) && overlap(one.path("gridPos"), other.path("gridPos")))
          .as(one.path("title").asText())
          .isEmpty();
    }
  }

  private static boolean overlap(JsonNode one, JsonNode other) {
    return overlap(one, other, "x", "w") && overlap(one, other, "y", "h");
  }

  private static boolean overlap(JsonNode one, JsonNode other, String at, String size) {
    int first = one.path(at).asInt();
    int second = other.path(at).asInt();
    return first < second + other.path(size).asInt() && second < first + one.path(size).asInt();
  }
}
