package io.kairos.server.monitoring;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** The alert rules in {@code deploy}. */
public final class AlertRules {
  static final Path FOLDER = Path.of("../deploy/prometheus");
  static final Path FILE = FOLDER.resolve("kairos-alerts.yaml");

  private static final Pattern SET_OPERATOR =
      Pattern.compile("\\s+(?:unless|and|or)(?:\\s+on\\s*\\([^)]*\\))?\\s+");
  private static final Pattern COMPARISON =
      Pattern.compile("\\s+(?:==|!=|[<>]=?)\\s+-?[\\d.]+(?=\\)|\\s*$)");

  private AlertRules() {}

  /** One rule. */
  public record Rule(String name, String expression, JsonNode labels, JsonNode annotations) {
    /**
     * The parts of the expression between its set operators, without comparisons with a number:
     * each has a value whenever its metrics exist.
     */
    public List<String> values() {
      return SET_OPERATOR
          .splitAsStream(expression)
          .map(part -> COMPARISON.matcher(part).replaceAll(""))
          .toList();
    }
  }

  /** All rules in the order of the file. */
  public static List<Rule> all() {
    return yaml(FILE).path("groups").findValues("rules").stream()
        .flatMap(AlertRules::elements)
        .map(rule ->
            new Rule(
                rule.path("alert").asText(),
                rule.path("expr").asText(),
                rule.path("labels"),
                rule.path("annotations")))
        .toList();
  }

  static JsonNode yaml(Path file) {
    try {
      return new YAMLMapper().readTree(file.toFile());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Stream<JsonNode> elements(JsonNode list) {
    return StreamSupport.stream(list.spliterator(), false);
  }
}
