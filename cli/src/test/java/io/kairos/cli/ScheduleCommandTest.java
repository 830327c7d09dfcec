package io.kairos.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import com.google.protobuf.Duration;
import com.google.protobuf.Timestamp;
import com.google.rpc.BadRequest;
import com.google.rpc.ErrorInfo;
import io.grpc.Status;
import io.grpc.protobuf.StatusProto;
import io.kairos.api.v1.ApplyScheduleRequest;
import io.kairos.api.v1.ApplyScheduleResponse;
import io.kairos.api.v1.BackfillScheduleRequest;
import io.kairos.api.v1.BackfillScheduleResponse;
import io.kairos.api.v1.Calendar;
import io.kairos.api.v1.CreateScheduleRequest;
import io.kairos.api.v1.ExplainScheduleRequest;
import io.kairos.api.v1.ExplainScheduleResponse;
import io.kairos.api.v1.Fire;
import io.kairos.api.v1.GetScheduleRequest;
import io.kairos.api.v1.ListFiresRequest;
import io.kairos.api.v1.ListFiresResponse;
import io.kairos.api.v1.ListSchedulesRequest;
import io.kairos.api.v1.ListSchedulesResponse;
import io.kairos.api.v1.PauseScheduleRequest;
import io.kairos.api.v1.PlannedFire;
import io.kairos.api.v1.PreviewScheduleRequest;
import io.kairos.api.v1.PreviewScheduleResponse;
import io.kairos.api.v1.PutCalendarRequest;
import io.kairos.api.v1.Schedule;
import io.kairos.api.v1.TriggerScheduleRequest;
import io.kairos.api.v1.TriggerScheduleResponse;
import io.kairos.api.v1.UpdateScheduleRequest;
import io.kairos.cli.ScriptedNode.Said;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code kairos schedule} and {@code kairos calendar} as an operator types them. */
final class ScheduleCommandTest {
  private static final ScriptedNode NODE = new ScriptedNode();
  private static final String ID = "019b76da-a800-8000-8000-000000000004";

  @TempDir Path folder;

  @AfterAll
  static void stop() {
    NODE.close();
  }

  private static Timestamp at(String time) {
    return Timestamp.newBuilder().setSeconds(Instant.parse(time).getEpochSecond()).build();
  }

  private static PlannedFire planned(String time) {
    return PlannedFire.newBuilder()
        .setFireTime(at(time))
        .setRunAt(at(time))
        .setLocalTime(time)
        .build();
  }

  private static Schedule nightly() {
    return Schedule.newBuilder()
        .setName("nightly")
        .setCron(Schedule.Cron.newBuilder().setExpression("0 3 * * *"))
        .setTimeZone("Europe/Berlin")
        .setTarget(Schedule.Target.newBuilder().setHandler("report"))
        .setState(Schedule.State.ACTIVE)
        .setSince(at("2030-01-01T00:00:00Z"))
        .setDescription("at 03:00, every day")
        .setNextFireTime(at("2030-01-02T02:00:00Z"))
        .addNextFires(planned("2030-01-02T02:00:00Z"))
        .build();
  }

  private static String done(String line) {
    Said said = NODE.kairos(line);
    assertThat(said.err()).isEmpty();
    assertThat(said.code()).isZero();
    return said.out();
  }

  @Test
  void options_become_a_schedule_and_the_answer_is_shown() {
    NODE.answers(nightly());

    assertThat(
            done(
                "schedule create nightly --cron='0 3 * * *' --zone=Europe/Berlin "
                    + "--dst-gap=skip --calendar=work --not-during=holidays --spread=90s "
                    + "--handler=report --payload=all --priority=7 --overlap=buffer_one "
                    + "--catch-up=all --catch-up-max=5 --max-attempts=3 --pause-on-failure "
                    + "--decider=replicated"))
        .contains("schedule  nightly", "at 03:00, every day", "next      2030-01-02T02:00:00Z");

    Schedule asked = NODE.request(CreateScheduleRequest.class).getSchedule();
    assertThat(asked.getCron().getExpression()).isEqualTo("0 3 * * *");
    assertThat(asked.getDst().getGap()).isEqualTo(Schedule.Dst.Gap.SKIP);
    assertThat(asked.getCalendarsList())
        .extracting(use -> use.getName() + " " + use.getUse())
        .containsExactly("work ONLY_DURING", "holidays NOT_DURING");
    assertThat(asked.getSpread().getSeconds()).isEqualTo(90);
    assertThat(asked.getTarget().getPayload().toStringUtf8()).isEqualTo("all");
    assertThat(asked.getTarget().getPriority()).isEqualTo(7);
    assertThat(asked.getPolicies().getOverlap()).isEqualTo(Schedule.Policies.Overlap.BUFFER_ONE);
    assertThat(asked.getPolicies().getCatchUp().getMax()).isEqualTo(5);
    assertThat(asked.getPolicies().getRetryPolicy().getMaxAttempts()).isEqualTo(3);
    assertThat(asked.getPolicies().getPauseOnFailure()).isTrue();
    assertThat(asked.getDecider()).isEqualTo(Schedule.Decider.REPLICATED);
  }

  @Test
  void a_topic_and_a_pool_are_targets_as_well() {
    NODE.answers(nightly(), nightly());

    done("schedule create a --every=10m --topic=out --message-key=k --header=h=v");
    done("schedule create b --at=2030-01-01T00:00:00Z --pool=p --path=/x --header=h=v");

    Schedule toTopic = NODE.request(CreateScheduleRequest.class).getSchedule();
    assertThat(toTopic.getEvery().getSeconds()).isEqualTo(600);
    assertThat(toTopic.getTarget().getTopic().getHeaders(0).getName()).isEqualTo("h");
    Schedule toPool = NODE.request(CreateScheduleRequest.class).getSchedule();
    assertThat(toPool.getTarget().getPool().getMethod()).isEqualTo("POST");
    assertThat(toPool.getTarget().getPool().getHeaders(0).getValue()).isEqualTo("v");
  }

  @Test
  void an_update_names_only_what_is_given() {
    NODE.answers(nightly());

    done("schedule update nightly --zone=UTC");

    UpdateScheduleRequest asked = NODE.request(UpdateScheduleRequest.class);
    assertThat(asked.getSchedule().getAllFields()).hasSize(2);
    assertThat(asked.getSchedule().getTimeZone()).isEqualTo("UTC");
    assertThat(asked.getUpdateMask().getPathsList()).isEmpty();
  }

  @Test
  void who_decides_is_changed_and_shown_when_it_is_not_the_nodes() {
    Schedule replicated = nightly().toBuilder().setDecider(Schedule.Decider.REPLICATED).build();
    NODE.answers(replicated, replicated, nightly());

    assertThat(done("schedule update nightly --decider=replicated"))
        .contains("decider   replicated");
    assertThat(NODE.request(UpdateScheduleRequest.class).getSchedule().getDecider())
        .isEqualTo(Schedule.Decider.REPLICATED);
    assertThat(done("schedule describe nightly -o yaml")).contains("decider: REPLICATED");
    assertThat(done("schedule describe nightly")).doesNotContain("decider");
    assertThat(NODE.request(GetScheduleRequest.class)).isEqualTo(asked());
    assertThat(NODE.request(GetScheduleRequest.class)).isEqualTo(asked());
  }

  private static GetScheduleRequest asked() {
    return GetScheduleRequest.newBuilder().setName("nightly").build();
  }

  @Test
  void a_preview_stores_nothing_and_prints_what_is_skipped() {
    NODE.answers(
        PreviewScheduleResponse.newBuilder()
            .setDescription("at 09:00")
            .addFires(planned("2030-01-02T08:00:00Z"))
            .addFires(planned("2030-01-03T08:00:00Z").toBuilder().setSkipped(Fire.Reason.CALENDAR))
            .addFires(planned("2030-01-04T08:00:00Z").toBuilder().setMovedFrom("2030-01-04T08:30"))
            .build());

    assertThat(done("schedule preview '0 9 * * *' --zone Europe/Berlin --count 2"))
        .startsWith("at 09:00")
        .contains("skipped: calendar", "for 2030-01-04T08:30, which clocks skip");

    PreviewScheduleRequest asked = NODE.request(PreviewScheduleRequest.class);
    assertThat(asked.getSchedule().getCron().getExpression()).isEqualTo("0 9 * * *");
    assertThat(asked.getCount()).isEqualTo(2);
  }

  @Test
  void a_preview_says_that_a_rule_has_no_fire_time_left() {
    NODE.answers(PreviewScheduleResponse.newBuilder().setDescription("at 00:00, in 2020").build());

    assertThat(done("schedule preview '0 0 0 1 1 * 2020'"))
        .contains("No fire time: every time that the rule names has passed.");
    NODE.forget();
  }

  @Test
  void texts_of_others_do_not_steer_the_terminal() {
    NODE.answers(PreviewScheduleResponse.newBuilder().setDescription("at \u001b[2J\u202e").build());
    assertThat(done("schedule preview @hourly")).contains("at \\u001b[2J\\u202e");
    NODE.forget();

    NODE.refuses(Status.NOT_FOUND.withDescription("no \u009b2Jtask").asRuntimeException());
    assertThat(NODE.kairos("schedule get a").err()).contains("no \\u009b2Jtask");
    NODE.forget();
  }

  @Test
  void ph6_a_refused_expression_is_pointed_at() {
    NODE.refuses(
        StatusProto.toStatusRuntimeException(
            com.google.rpc.Status.newBuilder()
                .setCode(Status.Code.INVALID_ARGUMENT.value())
                .addDetails(
                    Any.pack(
                        BadRequest.newBuilder()
                            .addFieldViolations(
                                BadRequest.FieldViolation.newBuilder()
                                    .setField("schedule.cron.expression")
                                    .setDescription("hour: 75 is refused"))
                            .build()))
                .addDetails(
                    Any.pack(
                        ErrorInfo.newBuilder()
                            .putMetadata("expression", "0 75 * * *")
                            .putMetadata("position", "2")
                            .build()))
                .build()));

    Said said = NODE.kairos("schedule preview '0 75 * * *'");

    NODE.request(PreviewScheduleRequest.class);
    assertThat(said.code()).isEqualTo(1);
    assertThat(said.err().lines())
        .containsExactly(
            "kairos: schedule.cron.expression: hour: 75 is refused", "  0 75 * * *", "    ^");
  }

  @Test
  void answers_are_printed_as_json_and_yaml_with_the_names_of_the_api() {
    NODE.answers(
        nightly(), nightly(), ListSchedulesResponse.newBuilder().addSchedules(nightly()).build());

    assertThat(done("schedule get nightly -o json"))
        .contains("\"cron\": {", "\"expression\": \"0 3 * * *\"", "\"state\": \"ACTIVE\"");
    assertThat(done("schedule get nightly --output=yaml"))
        .contains("name: nightly", "  expression: 0 3 * * *", "nextFires:");
    assertThat(done("schedule list")).startsWith("NAME").contains("nightly  active");
    NODE.forget();
  }

  @Test
  void lists_those_of_a_prefix_a_state_and_a_decider() {
    NODE.answers(ListSchedulesResponse.newBuilder().addSchedules(nightly()).build());

    assertThat(done("schedule list ni --state=paused --decider=replicated")).contains("nightly");
    assertThat(NODE.request(ListSchedulesRequest.class))
        .isEqualTo(
            ListSchedulesRequest.newBuilder()
                .setPrefix("ni")
                .addStates(Schedule.State.PAUSED)
                .setDecider(Schedule.Decider.REPLICATED)
                .setPageSize(100)
                .build());
  }

  @Test
  void pause_trigger_backfill_and_why_say_what_became_of_it() {
    Schedule paused =
        nightly().toBuilder()
            .setState(Schedule.State.PAUSED)
            .setNote("move")
            .clearNextFireTime()
            .build();
    Fire fire =
        Fire.newBuilder()
            .setDecision(Fire.Decision.FIRED)
            .setCause(Fire.Cause.TRIGGER)
            .setExecutionId(ID)
            .setLate(Duration.getDefaultInstance())
            .build();
    NODE.answers(
        paused,
        TriggerScheduleResponse.newBuilder().setFire(fire).setDuplicate(true).build(),
        BackfillScheduleResponse.newBuilder().setFired(3).setRequestId("r").build(),
        ExplainScheduleResponse.newBuilder().setExplanation("It is paused.").build(),
        ListFiresResponse.newBuilder().addFires(fire).build());

    assertThat(done("schedule pause nightly --note move")).isEqualTo("nightly: paused (move)");
    assertThat(NODE.request(PauseScheduleRequest.class).getNote()).isEqualTo("move");
    assertThat(done("schedule trigger nightly")).isEqualTo(ID + " (triggered before)");
    assertThat(NODE.request(TriggerScheduleRequest.class).getRequestId()).hasSize(36);
    assertThat(
            done(
                "schedule backfill nightly --from=2029-01-01T00:00:00Z "
                    + "--to=2029-01-02T00:00:00Z"))
        .isEqualTo("nightly: 3 fired, 0 skipped, 0 fired before; request id r");
    NODE.request(BackfillScheduleRequest.class);
    assertThat(done("schedule why nightly 2029-01-01T00:00:00Z")).isEqualTo("It is paused.");
    assertThat(NODE.request(ExplainScheduleRequest.class).hasAt()).isTrue();
    assertThat(done("schedule history nightly --reason overlap,paused")).contains(ID);
    assertThat(NODE.request(ListFiresRequest.class).getReasonsList())
        .containsExactlyInAnyOrder(Fire.Reason.OVERLAP, Fire.Reason.PAUSED);
  }

  @Test
  void a_trigger_that_makes_no_task_says_so_and_fails() {
    Fire fire =
        Fire.newBuilder()
            .setDecision(Fire.Decision.SKIPPED)
            .setReason(Fire.Reason.OVERLAP)
            .setCause(Fire.Cause.TRIGGER)
            .setExplanation("skipped: a former run had not ended")
            .build();
    TriggerScheduleResponse answer = TriggerScheduleResponse.newBuilder().setFire(fire).build();
    NODE.answers(answer, answer);

    Said said = NODE.kairos("schedule trigger nightly");
    Said json = NODE.kairos("schedule trigger nightly -o json");

    assertThat(said.code()).isEqualTo(1);
    assertThat(said.out())
        .isEqualTo("nightly: no task was made, skipped: a former run had not ended");
    assertThat(json.code()).isEqualTo(1);
    assertThat(json.out()).contains("\"reason\": \"OVERLAP\"").doesNotContain("executionId");
    NODE.forget();
  }

  private static ApplyScheduleResponse applied(ApplyScheduleResponse.Outcome outcome) {
    return ApplyScheduleResponse.newBuilder()
        .setOutcome(outcome)
        .setSchedule(nightly())
        .addChanges(
            ApplyScheduleResponse.Change.newBuilder()
                .setField("time_zone")
                .setBefore("\"UTC\"")
                .setAfter("\"Europe/Berlin\""))
        .build();
  }

  @Test
  void a_file_is_checked_as_a_whole_and_then_applied() throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("s.yaml"),
            """
            calendars: [{name: work, rules: week MON-FRI}]
            schedules: [{name: nightly, every: 1h, calendars: [{name: work}]}]
            """);
    Calendar work = Calendar.newBuilder().setName("work").setRules("week MONDAY").build();
    NODE.answers(
        work,
        applied(ApplyScheduleResponse.Outcome.CHANGED),
        work,
        applied(ApplyScheduleResponse.Outcome.CHANGED));

    assertThat(done("schedule apply -f " + file).lines())
        .containsExactly("nightly: changed", "  time_zone: \"UTC\" -> \"Europe/Berlin\"");

    assertThat(NODE.request(PutCalendarRequest.class).getDryRun()).isTrue();
    ApplyScheduleRequest checked = NODE.request(ApplyScheduleRequest.class);
    assertThat(checked.getDryRun()).isTrue();
    assertThat(checked.getCalendarsList()).containsExactly(work);
    PutCalendarRequest put = NODE.request(PutCalendarRequest.class);
    assertThat(put.getDryRun()).isFalse();
    assertThat(put.getCalendar().getRules()).isEqualTo("week MON-FRI");
    assertThat(NODE.request(ApplyScheduleRequest.class).getDryRun()).isFalse();
  }

  @Test
  void a_dry_run_shows_the_next_fires_and_a_refusal_stores_nothing() throws Exception {
    Path file = Files.writeString(folder.resolve("s.yaml"), "- {name: a}\n- {name: b}\n");
    NODE.answers(
        applied(ApplyScheduleResponse.Outcome.CREATED),
        applied(ApplyScheduleResponse.Outcome.UNCHANGED));

    assertThat(done("schedule apply -f " + file + " --dry-run"))
        .contains("nightly: would be created", "  next 2030-01-02T02:00:00Z");
    NODE.forget();
    NODE.refuses(Status.INVALID_ARGUMENT.withDescription("bad a").asRuntimeException());
    NODE.refuses(Status.NOT_FOUND.withDescription("bad b").asRuntimeException());
    Said said = NODE.kairos("schedule apply -f " + file);

    assertThat(said.code()).isEqualTo(1);
    assertThat(said.err())
        .contains(file + ":1: ")
        .contains("bad a")
        .contains(file + ":2: ")
        .contains("bad b");
    assertThat(NODE.request(ApplyScheduleRequest.class).getDryRun()).isTrue();
    assertThat(NODE.request(ApplyScheduleRequest.class).getDryRun()).isTrue();
    assertThat(NODE.wasNotAsked()).isTrue();
  }

  @Test
  void the_shell_completes_every_command() {
    StringWriter script = new StringWriter();
    CommandLine line = CliMain.commandLine("completion").setOut(new PrintWriter(script, true));

    assertThat(line.execute("completion", "bash")).isZero();
    assertThat(script.toString())
        .contains("schedule", "preview", "--time-zone", "--catch-up", "crontab");
  }
}
