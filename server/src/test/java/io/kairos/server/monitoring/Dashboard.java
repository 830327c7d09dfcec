package io.kairos.server.monitoring;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;

/** The dashboard for Grafana in {@code deploy}. */
public final class Dashboard {
  static final Path FILE = Path.of("../deploy/grafana/kairos.json");

  private Dashboard() {}

  /** A query of a panel. */
  public record Query(String panel, String expression) {
    /** The expression with a value for each variable: all nodes and replicas, and this window. */
    public String over(String window) {
      return expression
          .replace("$__rate_interval", window)
          .replace("$node", ".*")
          .replace("$replica", ".*");
    }
  }

  /** All queries of all panels. */
  public static List<Query> queries() {
    return panels().stream()
        .flatMap(panel ->
            AlertRules.elements(panel.path("targets"))
                .map(target ->
                    new Query(panel.path("title").asText(), target.path("expr").asText())))
        .toList();
  }

  static JsonNode json() {
    try {
      return new ObjectMapper().readTree(FILE.toFile());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** All panels, without the rows. */
  static List<JsonNode> panels() {
    return AlertRules.elements(json().path("panels"))
        .filter(panel -> !panel.path("type").asText().equals("row"))
        .toList();
  }
}
