package io.kairos.server.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The alert rules, by promtool and by the rules of this house. */
class AlertRulesTest {
  private static final Path ROOT = Path.of("..");

  @Test
  void promtool_has_no_objection_to_rules_and_configuration() throws Exception {
    assertThat(
            PrometheusProgram.promtool(AlertRules.FOLDER, "check", "rules", "kairos-alerts.yaml"))
        .satisfies(run -> assertThat(run.code()).as(run.printed()).isZero());
    assertThat(PrometheusProgram.promtool(AlertRules.FOLDER, "check", "config", "prometheus.yaml"))
        .satisfies(run -> assertThat(run.code()).as(run.printed()).isZero());
  }

  @Test
  void every_alert_fires_when_it_should_and_is_silent_when_it_should_be() throws Exception {
    PrometheusProgram.Run run =
        PrometheusProgram.promtool(AlertRules.FOLDER, "test", "rules", "kairos-alerts-test.yaml");

    assertThat(run.code()).as(run.printed()).isZero();
  }

  @Test
  void every_alert_is_tried_both_ways() {
    List<String> tried =
        AlertRules.elements(
                AlertRules.yaml(AlertRules.FOLDER.resolve("kairos-alerts-test.yaml")).path("tests"))
            .flatMap(test -> AlertRules.elements(test.path("alert_rule_test")))
            .map(test ->
                test.path("alertname").asText()
                    + (test.path("exp_alerts").isEmpty() ? " is silent" : " fires"))
            .toList();

    assertThat(tried)
        .containsAll(AlertRules.all().stream().map(rule -> rule.name() + " fires").toList())
        .containsAll(AlertRules.all().stream().map(rule -> rule.name() + " is silent").toList());
  }

  @Test
  void every_alert_says_how_bad_it_is_and_what_to_do() throws IOException {
    Set<String> anchors =
        Files.readString(ROOT.resolve("docs/operations.md"))
            .lines()
            .filter(line -> line.startsWith("#"))
            .map(line ->
                "docs/operations.md#"
                    + line.replaceFirst("^#+ ", "")
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\w -]", "")
                        .replace(' ', '-'))
            .collect(Collectors.toSet());

    assertThat(AlertRules.all())
        .hasSizeGreaterThan(20)
        .allSatisfy(rule -> {
          assertThat(rule.labels().path("severity").asText()).isIn("critical", "warning");
          assertThat(rule.annotations().path("summary").asText()).isNotEmpty();
          assertThat(rule.annotations().path("description").asText()).endsWith(".");
          assertThat(rule.annotations().path("runbook_url").asText())
              .isEqualTo("docs/operations.md#" + rule.name().toLowerCase(Locale.ROOT))
              .isIn(anchors);
        });
  }
}
