package io.kairos.cli;

import io.kairos.cli.text.OutputOptions;
import io.kairos.client.Backfill;
import io.kairos.client.Explanation;
import io.kairos.client.Fire;
import io.kairos.client.FireQuery;
import io.kairos.client.KairosClient;
import io.kairos.client.Preview;
import io.kairos.client.ScheduleClient;
import io.kairos.client.ScheduleQuery;
import io.kairos.client.ScheduleSpec;
import io.kairos.client.ScheduleStatus;
import io.kairos.client.Triggered;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** {@code kairos schedule ...}: have work done again and again, see when, ask why not. */
@Command(
    name = "schedule",
    mixinStandardHelpOptions = true,
    description = "Has work done again and again, shows when, and says why it was not.",
    footer = {
      "",
      "Try an expression, store it, look at it:",
      "  kairos schedule preview '0 9 * * MON-FRI' --zone Europe/Berlin",
      "  kairos schedule create reports/daily --cron '0 9 * * MON-FRI' --zone Europe/Berlin"
          + " --handler report",
      "  kairos schedule describe reports/daily",
      "  kairos schedule why reports/daily 2026-12-24T08:00:00Z"
    },
    subcommands = ScheduleApplyCommand.class)
final class ScheduleCommand extends NodeCommand {
  private static final int NOT_FIRED = 1;

  ScheduleCommand() {
    super(
        "Say what to do: create, update, apply, list, describe, preview, pause, resume, trigger,"
            + " backfill, delete, history or why.");
  }

  private <A> int show(
      OutputOptions output, Function<ScheduleClient, A> call, Function<A, ?> table) {
    try (KairosClient client = connect()) {
      A answer = call.apply(client.schedules());
      Supplier<?> words = () -> table.apply(answer);
      output.print(out(), answer, words);
    }
    return 0;
  }

  @Command(
      name = "create",
      mixinStandardHelpOptions = true,
      description = {
        "Stores a new schedule and shows it with its next fire times: kairos schedule create"
            + " nightly --cron '0 3 * * *' --handler report",
        "Exit code 1 when there is one with this name; apply changes it."
      })
  int create(
      @Parameters(paramLabel = "NAME", description = "Of letters, digits and . _ / -") String name,
      @Mixin RuleOptions rule,
      @Mixin TargetOptions target,
      @Mixin PolicyOptions policies,
      @Mixin OutputOptions output)
      throws IOException {
    if (!rule.hasRule(null) || !target.isGiven()) {
      throw new ParameterException(
          spec.commandLine(),
          "Give a rule (--cron, --every, --delay-after, --at or --rrule) and a target (--handler,"
              + " --topic or --pool).");
    }
    ScheduleSpec wanted = wanted(name, rule, target, policies);
    return show(output, schedules -> schedules.create(wanted), ScheduleText::describe);
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
      mixinStandardHelpOptions = true,
      description = "Changes what is named of a schedule; all else stays. From now on it counts.")
  int update(
      @Parameters(paramLabel = "NAME") String name,
      @Mixin RuleOptions rule,
      @Mixin TargetOptions target,
      @Mixin PolicyOptions policies,
      @Mixin OutputOptions output)
      throws IOException {
    ScheduleSpec wanted = wanted(name, rule, target, policies);
    return show(output, schedules -> schedules.update(wanted, List.of()), ScheduleText::describe);
  }

  @Command(name = "list", mixinStandardHelpOptions = true, description = "Lists schedules by name.")
  int list(
      @Parameters(
              paramLabel = "PREFIX",
              arity = "0..1",
              defaultValue = "",
              description = "Only those whose names begin so.")
          String prefix,
      @Option(names = "--state", split = ",", description = "Only these: active, paused, ended.")
          ScheduleStatus.State @Nullable [] states,
      @Option(
              names = "--decider",
              description = "Only those that these decide: ${COMPLETION-CANDIDATES}.")
          ScheduleSpec.@Nullable Decider decider,
      @Option(
              names = "--limit",
              defaultValue = "100",
              description = "At most this many (default ${DEFAULT-VALUE}).")
          int limit,
      @Mixin OutputOptions output) {
    ScheduleQuery every = ScheduleQuery.all().prefix(prefix).limit(limit);
    ScheduleQuery ofStates = states == null ? every : every.states(states);
    ScheduleQuery wanted = decider == null ? ofStates : ofStates.decider(decider);
    return show(output, schedules -> schedules.list(wanted), ScheduleText::list);
  }

  @Command(
      name = "describe",
      aliases = "get",
      mixinStandardHelpOptions = true,
      description = {
        "Shows a schedule: its rule in English, its next fire times, its last decisions.",
        "With -o yaml it is what apply takes."
      })
  int describe(@Parameters(paramLabel = "NAME") String name, @Mixin OutputOptions output) {
    return show(output, schedules -> schedules.get(name), ScheduleText::describe);
  }

  @Command(
      name = "preview",
      mixinStandardHelpOptions = true,
      description = {
        "Says in English what an expression means and shows when it would fire; stores nothing:",
        "kairos schedule preview '0 9 * * MON-FRI' --zone Europe/Berlin --count 5"
      })
  int preview(
      @Parameters(paramLabel = "EXPRESSION", arity = "0..1", description = "A cron expression.")
          @Nullable String expression,
      @Mixin RuleOptions rule,
      @Option(names = "--from", description = "Fire times after this; now when left out.")
          @Nullable Instant from,
      @Option(
              names = "--count",
              defaultValue = "10",
              description = "How many, up to 1,000 (default ${DEFAULT-VALUE}).")
          int count,
      @Mixin OutputOptions output) {
    if (!rule.hasRule(expression)) {
      throw new ParameterException(
          spec.commandLine(), "Give an EXPRESSION, --every, --delay-after, --at or --rrule.");
    }
    ScheduleSpec.Builder wanted = ScheduleSpec.named("");
    rule.applyTo(wanted, expression);
    return show(
        output,
        schedules -> schedules.preview(wanted.build(), from, count),
        ScheduleCommand::previewed);
  }

  private static String previewed(Preview preview) {
    return preview.description() + System.lineSeparator() + ScheduleText.planned(preview.fires());
  }

  @Command(
      name = "pause",
      mixinStandardHelpOptions = true,
      description = "Lets a schedule not fire until it is resumed; what runs goes on.")
  int pause(
      @Parameters(paramLabel = "NAME") String name,
      @Option(names = "--note", description = "Why, for people.", defaultValue = "") String note,
      @Mixin OutputOptions output) {
    return show(output, schedules -> schedules.pause(name, note), ScheduleCommand::state);
  }

  @Command(
      name = "resume",
      mixinStandardHelpOptions = true,
      description = "Lets it fire again, from now on; the fire times of the pause stay skipped.")
  int resume(@Parameters(paramLabel = "NAME") String name, @Mixin OutputOptions output) {
    return show(output, schedules -> schedules.resume(name), ScheduleCommand::state);
  }

  private static String state(ScheduleStatus schedule) {
    return schedule.name()
        + ": "
        + Words.of(schedule.state())
        + (schedule.note().isEmpty() ? "" : " (" + schedule.note() + ")")
        + (schedule.nextFireTime() == null ? "" : ", next " + schedule.nextFireTime());
  }

  @Command(
      name = "trigger",
      mixinStandardHelpOptions = true,
      description = {
        "Fires a schedule now, beside its rule, and prints the task's id.",
        "Exit code 1 when no task was made, because of its overlap policy."
      })
  int trigger(
      @Parameters(paramLabel = "NAME") String name,
      @Option(
              names = "--request-id",
              description = "The same id fires once, however often it is given.")
          @Nullable String requestId,
      @Mixin OutputOptions output) {
    try (KairosClient client = connect()) {
      ScheduleClient schedules = client.schedules();
      Triggered done =
          requestId == null ? schedules.trigger(name) : schedules.trigger(name, requestId);
      output.print(out(), done, () -> triggered(name, done));
      return done.fire().executionId() == null ? NOT_FIRED : 0;
    }
  }

  private static String triggered(String name, Triggered done) {
    String what =
        done.fire().executionId() == null
            ? name + ": no task was made, " + done.fire().explanation()
            : done.fire().executionId().toString();
    return what + (done.duplicate() ? " (triggered before)" : "");
  }

  @Command(
      name = "backfill",
      mixinStandardHelpOptions = true,
      description = {
        "Fires a schedule for every fire time of a range in the past, one after the other.",
        "Repeat it with the request id that it prints, and none of them fires twice."
      })
  int backfill(
      @Parameters(paramLabel = "NAME") String name,
      @Option(names = "--from", required = true, description = "The first fire time that counts.")
          Instant from,
      @Option(names = "--to", required = true, description = "The last.") Instant to,
      @Option(names = "--request-id", description = "Of a former try.") @Nullable String requestId,
      @Option(
              names = "--overlap",
              description = "Between the tasks: ${COMPLETION-CANDIDATES}; buffer_all.")
          ScheduleSpec.@Nullable Overlap overlap,
      @Mixin OutputOptions output) {
    Backfill wanted = Backfill.of(name, from, to).requestId(requestId).overlap(overlap);
    return show(output, schedules -> schedules.backfill(wanted), done -> backfilled(name, done));
  }

  private static String backfilled(String name, Backfill.Result done) {
    return "%s: %d fired, %d skipped, %d fired before; request id %s"
        .formatted(name, done.fired(), done.skipped(), done.duplicates(), done.requestId());
  }

  @Command(
      name = "delete",
      mixinStandardHelpOptions = true,
      description = "Deletes schedules; the tasks that they made go on.")
  int delete(@Parameters(paramLabel = "NAME", arity = "1..*") List<String> names) {
    try (KairosClient client = connect()) {
      for (String name : names) {
        client.schedules().delete(name);
        out().println(name + ": deleted");
      }
    }
    return 0;
  }

  @Command(
      name = "history",
      mixinStandardHelpOptions = true,
      description = "Lists what was decided about the fire times of a schedule, newest first.")
  int history(
      @Parameters(paramLabel = "NAME") String name,
      @Option(names = "--from", description = "Only fire times from then on.")
          @Nullable Instant from,
      @Option(names = "--to", description = "Only fire times before.") @Nullable Instant to,
      @Option(names = "--decision", split = ",", description = "Only these: fired, skipped.")
          Fire.Decision @Nullable [] decisions,
      @Option(
              names = "--reason",
              split = ",",
              description = "Only those skipped for: ${COMPLETION-CANDIDATES}.")
          Fire.Reason @Nullable [] reasons,
      @Option(
              names = "--limit",
              defaultValue = "20",
              description = "At most this many (default ${DEFAULT-VALUE}).")
          int limit,
      @Mixin OutputOptions output) {
    FireQuery query = FireQuery.of(name).from(from).to(to).limit(limit);
    if (decisions != null) {
      query = query.decisions(decisions);
    }
    if (reasons != null) {
      query = query.reasons(reasons);
    }
    FireQuery wanted = query;
    return show(output, schedules -> schedules.fires(wanted), ScheduleText::fires);
  }

  @Command(
      name = "why",
      mixinStandardHelpOptions = true,
      description = "Says why a schedule has fired at a time, or why not.")
  int why(
      @Parameters(paramLabel = "NAME") String name,
      @Parameters(paramLabel = "TIME", arity = "0..1", description = "Now when left out.")
          @Nullable Instant at,
      @Mixin OutputOptions output) {
    return show(output, schedules -> schedules.explain(name, at), ScheduleCommand::explained);
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
                  : ": " + Words.of(explanation.taskState()));
    }
    return text.toString();
  }
}
