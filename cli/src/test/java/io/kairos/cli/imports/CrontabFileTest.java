package io.kairos.cli.imports;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.api.v1.Schedule;
import io.kairos.cli.text.ApiMessages;
import java.io.OutputStream;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CrontabFileTest {
  private static final Instant NOW = Instant.parse("2026-11-22T12:00:00Z");

  private static ImportSource read(String text) {
    return read("tab", text, false, ZoneId.of("Europe/Berlin"));
  }

  private static ImportSource read(String file, String text, boolean ofSystem, ZoneId zone) {
    ImportSource source = new ImportSource("crontab/{command}", "sh-{user}", NOW, 3);
    CrontabFile.read(file, text, ofSystem, zone, source);
    return source;
  }

  private static String script(ForeignSchedule found) {
    return ApiMessages.of(found.spec()).getTarget().getPayload().toStringUtf8();
  }

  @Test
  void a_line_becomes_a_schedule_with_the_command_as_its_payload() {
    ForeignSchedule found = read("0 3 * * 1-5 /usr/bin/backup --all\n").found().getFirst();

    Schedule wire = ApiMessages.of(found.spec());
    assertThat(found.place()).isEqualTo("tab:1");
    assertThat(wire.getName()).isEqualTo("crontab/backup");
    assertThat(wire.getCron().getExpression()).isEqualTo("0 3 * * 1-5");
    assertThat(wire.getTimeZone()).isEqualTo("Europe/Berlin");
    assertThat(wire.getTarget().getHandler()).isEqualTo("sh-user");
    assertThat(wire.getPolicies().getOverlap()).isEqualTo(Schedule.Policies.Overlap.ALLOW_ALL);
    assertThat(wire.getPolicies().getCatchUp().getMode()).isEqualTo(Schedule.CatchUp.Mode.NONE);
    assertThat(script(found)).isEqualTo("/usr/bin/backup --all\n");
    assertThat(found.fires().getFirst()).isEqualTo("2026-11-23T02:00:00Z");
  }

  @Test
  void comments_settings_and_blank_lines_make_no_schedule() {
    ImportSource read =
        read(
            """
            # m h  dom mon dow   command

              # indented
            PATH = "/opt/bin:/bin"
            NAME='it''s'
            @hourly run # not a comment
            """);

    assertThat(read.passed()).isEmpty();
    assertThat(read.found()).hasSize(1);
    assertThat(script(read.found().getFirst()))
        .contains("export PATH='/opt/bin:/bin'\n")
        .endsWith("run # not a comment\n");
  }

  @Test
  void a_percent_ends_the_command_and_begins_its_input() {
    assertThat(script(read("0 0 * * * mail -s 100\\% root%Hello%there\n").found().getFirst()))
        .isEqualTo("/bin/sh -c 'mail -s 100% root' <<'KAIROS_INPUT'\nHello\nthere\nKAIROS_INPUT\n");
  }

  @Test
  void an_input_is_never_run() throws Exception {
    for (String line :
        List.of(
            "cat # note%echo run",
            "cat | tr a-z A-Z%echo run",
            "cat%KAIROS_INPUT%echo run",
            "cat%KAIROS_INPUT%KAIROS_INPUT_%echo run")) {
      Process sh = new ProcessBuilder("sh").redirectErrorStream(true).start();
      try (OutputStream in = sh.getOutputStream()) {
        in.write(script(read("0 0 * * * " + line + "\n").found().getFirst()).getBytes(UTF_8));
      }
      assertThat(new String(sh.getInputStream().readAllBytes(), UTF_8))
          .as(line)
          .endsWithIgnoringCase("echo run\n");
      assertThat(sh.waitFor()).isZero();
    }
  }

  @Test
  void a_shell_of_its_own_runs_the_command() {
    assertThat(script(read("SHELL=/bin/bash\n0 0 * * * echo 'a'\n").found().getFirst()))
        .isEqualTo("/bin/bash -c 'echo '\\''a'\\'''\n");
  }

  @Test
  void cron_tz_and_random_delay_hold_for_the_lines_below() {
    ImportSource read =
        read(
            """
            0 9 * * * a
            CRON_TZ=Asia/Tokyo
            RANDOM_DELAY=5
            0 9 * * * b
            CRON_TZ=Nowhere/Land
            """);

    assertThat(ApiMessages.of(read.found().get(0).spec()).getTimeZone()).isEqualTo("Europe/Berlin");
    Schedule second = ApiMessages.of(read.found().get(1).spec());
    assertThat(second.getTimeZone()).isEqualTo("Asia/Tokyo");
    assertThat(second.getSpread().getSeconds()).isEqualTo(300);
    assertThat(read.found().get(1).fires().getFirst()).isEqualTo("2026-11-23T00:00:00Z");
    assertThat(read.passed()).singleElement().extracting(SkippedSchedule::place).isEqualTo("tab:5");
  }

  @Test
  void a_table_of_the_system_names_a_user_before_the_command() {
    ImportSource read =
        read(
            "/etc/crontab",
            "17 * * * * root cd / && run-parts /etc/cron.hourly\n@daily www ./rotate\n",
            true,
            ZoneId.of("UTC"));

    assertThat(read.found()).hasSize(2);
    assertThat(script(read.found().getFirst())).startsWith("cd / && run-parts");
    assertThat(ApiMessages.of(read.found().get(1).spec()).getTarget().getHandler())
        .isEqualTo("sh-www");
    assertThat(read.found().getFirst().remarks().getFirst()).contains("ran as root");
  }

  @Test
  void what_no_rule_says_is_named_with_the_reason() {
    ImportSource read = read("@reboot start\n61 * * * * x\n0 0 * *\n@never y\n0 0 * * 5-1 z\n");

    assertThat(read.found()).isEmpty();
    assertThat(read.passed())
        .extracting(SkippedSchedule::place)
        .containsExactly("tab:1", "tab:2", "tab:3", "tab:4", "tab:5");
    assertThat(read.passed().get(0).reason()).contains("when the machine starts");
    assertThat(read.passed().get(1).reason()).contains("'61' is not 0 to 59");
    assertThat(read.passed().get(2).reason()).contains("no command");
  }

  @Test
  void equal_commands_get_numbers() {
    assertThat(read("0 1 * * * job a\n0 2 * * * /bin/job b\n").found())
        .extracting(found -> found.spec().name())
        .containsExactly("crontab/job", "crontab/job-2");
  }
}
