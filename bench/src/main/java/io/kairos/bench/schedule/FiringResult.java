package io.kairos.bench.schedule;

import io.kairos.bench.delay.Cost;
import io.kairos.bench.observe.Lateness;
import io.kairos.bench.report.Shown;
import io.kairos.bench.report.Table;
import io.kairos.bench.task.TaskStoreCount;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * What firing at whole minutes showed.
 *
 * @param rounds the measured ones
 * @param wholeMinutes cost per fire of all that time, idle seconds included
 * @param decisions by the ledger, warm-up included
 * @param runs by the workers' logs, warm-up included
 */
record FiringResult(
    FiringRun.Settings settings,
    FirePlan plan,
    List<Round> rounds,
    Cost wholeMinutes,
    Lateness hiccup,
    Decisions.Count decisions,
    Runs.Count runs,
    TaskStoreCount store)
    implements SceneResult {
  @Override
  public int exitCode() {
    if (decisions.isVoid() || runs.isVoid()) {
      return VOID;
    }
    return decisions.isClean()
            && runs.isClean()
            && store.otherwise() == 0
            && rounds.stream().allMatch(Round::complete)
        ? 0
        : NOT_CLEAN;
  }

  @Override
  public Table table() {
    Table table =
        new Table()
            .row(
                "load",
                Shown.count(plan.schedules()) + " schedules",
                "%s of them due at each whole minute, such as '%s' in UTC, overlap skip, a handler's queue, payloads of %d bytes; %d worker(s) with %d executors"
                    .formatted(
                        Shown.count(plan.dueAtOnce()),
                        plan.expression(0),
                        settings.payloadBytes(),
                        settings.workers(),
                        settings.executors()))
            .row("stored", "", Registration.about(plan))
            .row(
                "measured",
                settings.minutes() + " minute(s)",
                "after %d of warm-up; the store is looked at every %d ms by another connection"
                    .formatted(settings.warmup(), FiringRun.LOOK_EVERY.toMillis()))
            .row(
                "durable",
                "",
                "decision, task and progress of the schedule in one transaction; claim and end of the task in one each");
    rounds.forEach(round ->
        table.row(
            round.fireAt(),
            (round.complete() ? "" : "more than ") + Shown.count(round.endedMillis()) + " ms",
            "until all had ended; claimable after %s ms; CPU per fire: node %s, Postgres %s, workers %s µs"
                .formatted(
                    Shown.count(round.claimableMillis()),
                    Shown.decimal(round.cost().nodeMicros()),
                    Shown.decimal(round.cost().postgresMicros()),
                    Shown.decimal(round.workerMicros()))));
    return table
        .row(
            "all claimable",
            range(Round::claimableMillis),
            "from the fire instant: %s decisions with their tasks are committed and seen"
                .formatted(Shown.count(plan.dueAtOnce())))
        .row(
            "all ended",
            range(Round::endedMillis),
            "from the fire instant: performed, and the results durable and acknowledged")
        .row("decided", "", Shown.percentiles(decisions.lateness()) + ", by the ledger")
        .row("started", "", Shown.percentiles(runs.lateness()) + ", by the workers' logs")
        .row("host hiccups", "", Shown.percentiles(hiccup))
        .row("ledger", "", decisions)
        .row("workers", "", runs)
        .row("store says", "", Shown.count(store.otherwise()) + " ended otherwise than well")
        .row(
            "CPU per fire",
            Shown.decimal(wholeMinutes.nodeMicros() + wholeMinutes.postgresMicros()) + " µs",
            "over whole minutes, with their idle seconds: node %s, Postgres %s; besides, this bench %s"
                .formatted(
                    Shown.decimal(wholeMinutes.nodeMicros()),
                    Shown.decimal(wholeMinutes.postgresMicros()),
                    Shown.decimal(wholeMinutes.loadMicros())))
        .row(
            "log per fire",
            Shown.count(wholeMinutes.walBytes()) + " bytes",
            "%d checkpoints, %d autovacuums; table of schedules %s, %s dead rows"
                .formatted(
                    wholeMinutes.checkpoints(),
                    wholeMinutes.autovacuums(),
                    Shown.mebibytes(wholeMinutes.tableBytesAfter()),
                    Shown.count(wholeMinutes.deadRowsAfter())))
        .row("verdict", verdict());
  }

  private String range(ToDoubleFunction<Round> of) {
    return "%s to %s ms"
        .formatted(
            Shown.count(rounds.stream().mapToDouble(of).min().orElse(0)),
            Shown.count(rounds.stream().mapToDouble(of).max().orElse(0)));
  }

  @Override
  public Map<String, Object> data() {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("schedules", plan.schedules());
    data.put("dueAtOnce", plan.dueAtOnce());
    data.put("claimableMillis", rounds.stream().map(Round::claimableMillis).toList());
    data.put("endedMillis", rounds.stream().map(Round::endedMillis).toList());
    data.put("nodeMicros", rounds.stream().map(round -> round.cost().nodeMicros()).toList());
    data.put(
        "postgresMicros", rounds.stream().map(round -> round.cost().postgresMicros()).toList());
    data.put("workerMicros", rounds.stream().map(Round::workerMicros).toList());
    data.put("nodeMicrosWholeMinutes", wholeMinutes.nodeMicros());
    data.put("postgresMicrosWholeMinutes", wholeMinutes.postgresMicros());
    data.put("walBytes", wholeMinutes.walBytes());
    data.put("hiccupP999", hiccup.p999());
    data.put("ledger", decisions.data());
    data.put("workers", runs.data());
    data.put("endedOtherwise", store.otherwise());
    data.put("exitCode", exitCode());
    return data;
  }
}
