package io.kairos.cli.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.api.v1.Schedule;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ScheduleFileTest {
  private static final String WHOLE =
      """
      calendars:
        - name: work
          rules: |
            week MON-FRI 08:00-18:00
      schedules:
        - name: reports/daily
          cron: {expression: 0 9 * * MON-FRI, dialect: unix}
          timeZone: Europe/Berlin
          dst: {gap: skip}
          calendars:
            - {name: work, use: only-during}
          startAt: 2030-01-31T12:00:00Z
          maxRuns: 3
          spread: 90s
          target:
            handler: report
            priority: 7
            text: daily
          policies:
            overlap: BUFFER_ONE
            catchUp: {mode: ALL, window: 2h, max: 5}
            pauseOnFailure: true
        - name: tick
          every: 10m
          target: {handler: tick}
      """;

  @Test
  void characters_that_yaml_does_not_have_are_refused_with_the_name_of_the_file() {
    assertThatThrownBy(() -> ScheduleFile.read("f.yaml", "name: a\u0001"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("f.yaml: is not YAML: ");
  }

  @Test
  void schedules_and_calendars_are_read_with_the_names_of_the_api() {
    ScheduleFile file = ScheduleFile.read("f.yaml", WHOLE);

    assertThat(file.calendars().getFirst().getRules()).isEqualTo("week MON-FRI 08:00-18:00\n");
    assertThat(file.schedules()).hasSize(2);
    assertThat(file.schedules().getFirst().place()).isEqualTo("f.yaml:6");
    Schedule first = file.schedules().getFirst().spec().wire();
    assertThat(first.getCron().getExpression()).isEqualTo("0 9 * * MON-FRI");
    assertThat(first.getCron().getDialect()).isEqualTo(Schedule.Cron.Dialect.UNIX);
    assertThat(first.getDst().getGap()).isEqualTo(Schedule.Dst.Gap.SKIP);
    assertThat(first.getCalendars(0).getUse()).isEqualTo(Schedule.CalendarUse.Use.ONLY_DURING);
    assertThat(first.getStartAt().getSeconds()).isEqualTo(1_896_091_200);
    assertThat(first.getMaxRuns()).isEqualTo(3);
    assertThat(first.getSpread().getSeconds()).isEqualTo(90);
    assertThat(first.getTarget().getPriority()).isEqualTo(7);
    assertThat(first.getPolicies().getCatchUp().getWindow().getSeconds()).isEqualTo(7_200);
    assertThat(file.schedules().get(1).spec().wire().getEvery().getSeconds()).isEqualTo(600);
  }

  @Test
  void steps_are_read_with_what_they_wait_for() {
    Schedule read =
        ScheduleFile.read(
                "f.yaml",
                """
                name: nightly
                cron: {expression: 0 2 * * *}
                target: {handler: load}
                steps:
                  - target: {handler: check, text: all}
                    after: [{index: 0}]
                  - target: {pool: {name: chat, path: /done}}
                    after: [{index: 0}, {index: 1, onFailure: CONTINUE}]
                """)
            .schedules()
            .getFirst()
            .spec()
            .wire();

    assertThat(read.getStepsList()).extracting(Schedule.Step::getAfterCount).containsExactly(1, 2);
    assertThat(read.getSteps(0).getAfter(0).hasIndex()).isTrue();
    assertThat(read.getSteps(1).getAfter(1).getOnFailure())
        .isEqualTo(io.kairos.api.v1.Predecessor.OnFailure.CONTINUE);
  }

  @Test
  void a_list_one_schedule_and_several_documents_are_read_too() {
    assertThat(ScheduleFile.read("f", "- {name: a}\n- {name: b}\n").schedules()).hasSize(2);
    assertThat(ScheduleFile.read("f", "name: a\n---\nname: b\n").schedules()).hasSize(2);
    assertThat(ScheduleFile.read("f", "{\"name\": \"a\", \"generation\": 3}").schedules())
        .hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "name: [a | is not YAML",
        "nmae: a | f:1: nmae: is not a field of Schedule, which has name, cron",
        "{name: a, name: b} | f:1: name: is given twice",
        "{name: a, every: 1s, at: 2030-01-01T00:00:00Z} | f:1: at: is given together with another"
            + " of its kind",
        "{name: a, every: soon} | f:1: every: must be a duration such as 500ms",
        "{name: a, at: tomorrow} | f:1: at: must be a time such as",
        "{name: a, maxRuns: x} | f:1: maxRuns: must be a whole number",
        "{name: a, policies: {overlap: NEVER}} | f:1: policies.overlap: must be one of SKIP,"
            + " BUFFER_ONE",
        "{name: a, policies: x} | f:1: policies: must be an object with the fields of Policies",
        "{schedules: x} | f:1: schedules: must be a list",
        "{schedules: [], jobs: []} | f:1: jobs: must be schedules or calendars",
        "[{name: a}, {target: {prio: 1}}] | f:1: schedules[1].target.prio: is not a field"
      })
  void what_cannot_be_read_is_named_by_line_and_path(String text, String problem) {
    assertThatThrownBy(() -> ScheduleFile.read("f", text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(problem);
  }

  @Test
  void what_is_written_is_read_back() {
    Schedule first = ScheduleFile.read("f.yaml", WHOLE).schedules().getFirst().spec().wire();

    String json = JsonText.of(AnswerTree.of(first));

    assertThat(json)
        .contains("\"spread\": \"90s\"")
        .contains("\"expression\": \"0 9 * * MON-FRI\"");
    assertThat(ScheduleFile.read("f", json).schedules().getFirst().spec().wire()).isEqualTo(first);
  }
}
