package io.kairos.cli;

import static io.kairos.cli.option.Conditions.with;

import io.kairos.cli.command.AnswerCommand;
import io.kairos.cli.option.ConfirmOptions;
import io.kairos.cli.option.PolicyOptions;
import io.kairos.cli.option.RuleOptions;
import io.kairos.cli.option.TargetOptions;
import io.kairos.cli.option.WatchOptions;
import io.kairos.cli.text.AnswerText;
import io.kairos.cli.text.ScheduleText;
import io.kairos.client.Backfill;
import io.kairos.client.KairosClient;
import io.kairos.client.ScheduleClient;
import io.kairos.client.ScheduleQuery;
import io.kairos.client.ScheduleSpec;
import io.kairos.client.ScheduleStatus;
import io.kairos.client.schedule.Explanation;
import io.kairos.client.schedule.Fire;
import io.kairos.client.schedule.FireQuery;
import io.kairos.client.schedule.Preview;
import io.kairos.client.schedule.TriggeredFire;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** {@code kairos schedule ...}: defines recurring work, shows its fire times, explains them. */
@Command(
    name = "schedule",
    addMethodSubcommands = false,
    description = "Defines recurring work, shows and explains its fire times.",
    footer = {
      "",
      "Try an expression, store a schedule, look at it:",
      "  kairos schedule preview '0 9 * * MON-FRI' --zone Europe/Berlin",
      "  kairos schedule create reports/daily --cron '0 9 * * MON-FRI' --zone Europe/Berlin"
          + " --handler report",
      "  kairos schedule describe reports/daily",
      "  kairos schedule why reports/daily 2026-12-24T08:00:00Z"
    },
    subcommands = ScheduleApplyCommand.class)
final class ScheduleCommand extends AnswerCommand {
  @Command(
      name = "create",
      description = {
        "Stores a new schedule and shows it with its next fire times: kairos schedule create"
            + " nightly --cron '0 3 * * *' --handler report",
        "Exit code 1 when a schedule of this name exists; apply would change it."
      })
  int create(
      @Parameters(paramLabel = "NAME", description = "Name of letters, digits and . _ / -")
          String name,
      @Mixin RuleOptions rule,
      @Mixin TargetOptions target,
      @Mixin PolicyOptions policies)
      throws IOException {
    if (!rule.hasRule(null) || !target.isGiven()) {
      throw new ParameterException(
          spec.commandLine(),
          "Give a rule (--cron, --every, --delay-after, --at or --rrule) and a target (--handler,"
              + " --topic or --pool).");
    }
    ScheduleSpec wanted = wanted(name, rule, target, policies);
    return show(client -> client.schedules().create(wanted), ScheduleText::describe);
  }

  private static ScheduleSpec wanted(
      String name, RuleOptions rule, TargetOptions target, PolicyOptions policies)
      throws IOException {
    ScheduleSpec.Builder wanted = ScheduleSpec.named(name);
    rule.applyTo(wanted, null);
    target.applyTo(wanted);
    policies.applyTo(wanted);
    return wanted.build();
  }

  @Command(
      name = "update",
      description = "Changes the named options of a schedule from now on; all others stay.")
  int update(
      @Parameters(paramLabel = "NAME") String name,
      @Mixin RuleOptions rule,
      @Mixin TargetOptions target,
      @Mixin PolicyOptions policies)
      throws IOException {
    ScheduleSpec wanted = wanted(name, rule, target, policies);
    return show(client -> client.schedules().update(wanted, List.of()), ScheduleText::describe);
  }

  @Command(name = "list", description = "Lists schedules by name.")
  int list(
      @Parameters(
              paramLabel = "PREFIX",
              arity = "0..1",
              defaultValue = "",
              description = "Only schedules whose names begin with this prefix.")
          String prefix,
      @Option(
              names = "--state",
              split = ",",
              description = "Only schedules in these states: active, paused, ended.")
          ScheduleStatus.State @Nullable [] states,
      @Option(
              names = "--decider",
              description = "Only schedules with this decider: ${COMPLETION-CANDIDATES}.")
          ScheduleSpec.@Nullable Decider decider,
      @Option(names = "--limit", defaultValue = "100", description = AnswerText.LIMIT) int limit,
      @Mixin WatchOptions watch) {
    ScheduleQuery every = ScheduleQuery.all().prefix(prefix).limit(limit);
    ScheduleQuery ofStates = states == null ? every : every.states(states);
    ScheduleQuery wanted = decider == null ? ofStates : ofStates.decider(decider);
    return show(watch, client -> client.schedules().list(wanted), ScheduleText::list);
  }

  @Command(
      name = "describe",
      aliases = "get",
      description = {
        "Shows a schedule, its rule in English, its next fire times and its last decisions.",
        "The output of -o yaml is valid input for apply."
      })
  int describe(@Parameters(paramLabel = "NAME") String name) {
    return show(client -> client.schedules().get(name), ScheduleText::describe);
  }

  @Command(
      name = "preview",
      description = {
        "Describes a rule in English and shows its fire times; stores nothing:",
        "kairos schedule preview '0 9 * * MON-FRI' --zone Europe/Berlin --count 5"
      })
  int preview(
      @Parameters(paramLabel = "EXPRESSION", arity = "0..1", description = "A cron expression.")
          @Nullable String expression,
      @Mixin RuleOptions rule,
      @Option(names = "--from", description = "Only fire times after this time; now when left out.")
          @Nullable Instant from,
      @Option(
              names = "--count",
              defaultValue = "10",
              description = "Number of fire times, up to 1,000 (default ${DEFAULT-VALUE}).")
          int count) {
    if (!rule.hasRule(expression)) {
      throw new ParameterException(
          spec.commandLine(), "Give an EXPRESSION, --every, --delay-after, --at or --rrule.");
    }
    ScheduleSpec.Builder wanted = ScheduleSpec.named("");
    rule.applyTo(wanted, expression);
    return show(
        client -> {
          ScheduleClient schedules = client.schedules();
          return from == null
              ? schedules.preview(wanted.build(), count)
              : schedules.preview(wanted.build(), from, count);
        },
        ScheduleCommand::previewed);
  }

  private static String previewed(Preview preview) {
    Object fires =
        preview.fires().isEmpty()
            ? "No fire time: every time that the rule names has passed."
            : ScheduleText.planned(preview.fires());
    return preview.description() + System.lineSeparator() + fires;
  }

  @Command(
      name = "pause",
      description = "Pauses a schedule until it is resumed; its running tasks go on.")
  int pause(
      @Parameters(paramLabel = "NAME") String name,
      @Option(names = "--note", description = "Reason, for operators.", defaultValue = "")
          String note) {
    return show(client -> client.schedules().pause(name, note), ScheduleCommand::state);
  }

  @Command(
      name = "resume",
      description = "Resumes a schedule from now on; fire times during the pause stay skipped.")
  int resume(@Parameters(paramLabel = "NAME") String name) {
    return show(client -> client.schedules().resume(name), ScheduleCommand::state);
  }

  private static String state(ScheduleStatus schedule) {
    return schedule.name()
        + ": "
        + AnswerText.of(schedule.state())
        + (schedule.note().isEmpty() ? "" : " (" + schedule.note() + ")")
        + (schedule.nextFireTime() == null ? "" : ", next " + schedule.nextFireTime());
  }

  @Command(
      name = "trigger",
      description = {
        "Fires a schedule now, in addition to its rule, and prints the task's id.",
        "Exit code 1 when the overlap policy prevented the task."
      })
  int trigger(
      @Parameters(paramLabel = "NAME") String name,
      @Option(
              names = "--request-id",
              description = "Makes the command idempotent: the schedule fires once per id.")
          @Nullable String requestId) {
    return show(
        client ->
            requestId == null
                ? client.schedules().trigger(name)
                : client.schedules().trigger(name, requestId),
        done -> triggered(name, done),
        done -> done.fire().executionId() == null);
  }

  private static String triggered(String name, TriggeredFire done) {
    String what =
        done.fire().executionId() == null
            ? name + ": no task was made, " + done.fire().explanation()
            : done.fire().executionId().toString();
    return what + (done.duplicate() ? " (triggered before)" : "");
  }

  @Command(
      name = "backfill",
      description = {
        "Fires a schedule for every fire time of a range in the past, one after the other.",
        "The command prints a request id. Repeats with that id fire no fire time twice."
      })
  int backfill(
      @Parameters(paramLabel = "NAME") String name,
      @Option(names = "--from", required = true, description = "Beginning of the range, inclusive.")
          Instant from,
      @Option(names = "--to", required = true, description = "End of the range, inclusive.")
          Instant to,
      @Option(names = "--request-id", description = "Request id of an earlier attempt.")
          @Nullable String requestId,
      @Option(
              names = "--overlap",
              description = "Overlap policy: ${COMPLETION-CANDIDATES}; buffer_all when left out.")
          ScheduleSpec.@Nullable Overlap overlap) {
    Backfill wanted = Backfill.of(name, from, to).requestId(requestId).overlap(overlap);
    return show(client -> client.schedules().backfill(wanted), done -> backfilled(name, done));
  }

  private static String backfilled(String name, Backfill.Result done) {
    return "%s: %d fired, %d skipped, %d fired before; request id %s"
        .formatted(name, done.fired(), done.skipped(), done.duplicates(), done.requestId());
  }

  @Command(name = "delete", description = "Deletes schedules; their tasks go on.")
  int delete(
      @Parameters(paramLabel = "NAME", arity = "1..*") List<String> names,
      @Mixin ConfirmOptions confirmation) {
    confirm(confirmation, "Delete %s?".formatted(String.join(", ", names)));
    try (KairosClient client = connect()) {
      for (String name : names) {
        client.schedules().delete(name);
        print(name + ": deleted", () -> name + ": deleted");
      }
    }
    return 0;
  }

  @Command(
      name = "history",
      description = "Lists the decisions about the fire times of a schedule, newest first.")
  int history(
      @Parameters(paramLabel = "NAME") String name,
      @Option(names = "--from", description = "Only fire times at or after this time.")
          @Nullable Instant from,
      @Option(names = "--to", description = "Only fire times before this time.")
          @Nullable Instant to,
      @Option(
              names = "--decision",
              split = ",",
              description = "Only these decisions: fired, skipped.")
          Fire.Decision @Nullable [] decisions,
      @Option(
              names = "--reason",
              split = ",",
              description = "Only skipped for these reasons: ${COMPLETION-CANDIDATES}.")
          Fire.Reason @Nullable [] reasons,
      @Option(names = "--limit", defaultValue = "20", description = AnswerText.LIMIT) int limit,
      @Mixin WatchOptions watch) {
    FireQuery since = with(FireQuery.of(name).limit(limit), from, FireQuery::from);
    FireQuery query = with(since, to, FireQuery::to);
    if (decisions != null) {
      query = query.decisions(decisions);
    }
    if (reasons != null) {
      query = query.reasons(reasons);
    }
    FireQuery wanted = query;
    return show(watch, client -> client.schedules().fires(wanted), ScheduleText::fires);
  }

  @Command(name = "why", description = "Explains why a schedule fired at a time, or why not.")
  int why(
      @Parameters(paramLabel = "NAME") String name,
      @Parameters(
              paramLabel = "TIME",
              arity = "0..1",
              description = "Time to explain; now when left out.")
          @Nullable Instant at) {
    return show(
        client ->
            at == null ? client.schedules().explain(name) : client.schedules().explain(name, at),
        ScheduleCommand::explained);
  }

  private static String explained(Explanation explanation) {
    StringBuilder text = new StringBuilder(explanation.text());
    if (explanation.fire() != null && explanation.fire().executionId() != null) {
      text.append(System.lineSeparator())
          .append("task ")
          .append(explanation.fire().executionId())
          .append(
              explanation.taskState() == null
                  ? ", whose history has been pruned"
                  : ": " + AnswerText.of(explanation.taskState()));
    }
    return text.toString();
  }
}
