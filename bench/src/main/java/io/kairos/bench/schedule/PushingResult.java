package io.kairos.bench.schedule;

import io.kairos.bench.delay.Cost;
import io.kairos.bench.observe.Lateness;
import io.kairos.bench.report.Shown;
import io.kairos.bench.report.Table;
import io.kairos.bench.task.TaskStoreCount;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What firing at a pool showed.
 *
 * @param runs by what the endpoints got, warm-up included; late from when a run was due to its
 *     request's headers
 * @param decisions by the ledger, warm-up included
 * @param cost per fire in the measured minutes
 */
record PushingResult(
    PushingRun.Settings settings,
    FirePlan plan,
    Runs.Count runs,
    Decisions.Count decisions,
    TaskStoreCount store,
    Lateness hiccup,
    Cost cost)
    implements SceneResult {
  @Override
  public int exitCode() {
    if (decisions.isVoid() || runs.isVoid()) {
      return VOID;
    }
    return decisions.isClean() && runs.isClean() && store.isClean() ? 0 : NOT_CLEAN;
  }

  @Override
  public Table table() {
    return new Table()
        .row(
            "load",
            Shown.count(settings.fires()) + " fires/s",
            "of %s schedules, each once a minute, such as '%s' in UTC, overlap skip, a pool of %d endpoints in this process, payloads of %d bytes"
                .formatted(
                    Shown.count(plan.schedules()),
                    plan.expression(0),
                    PushingRun.ENDPOINTS,
                    settings.payloadBytes()))
        .row(
            "due",
            "",
            settings.spread().isZero()
                ? "all fires of a second at that second"
                : "scattered over %s behind the fire time, by the spread of the schedules"
                    .formatted(Shown.duration(settings.spread())))
        .row("stored", "", Registration.about(plan))
        .row(
            "measured",
            settings.minutes() + " minute(s)",
            "after %d of warm-up".formatted(settings.warmup()))
        .row("due to arrival", "", Shown.percentiles(runs.lateness()))
        .row(
            "decided",
            "",
            Shown.percentiles(decisions.lateness()) + " after the fire time, by the ledger")
        .row("host hiccups", "", Shown.percentiles(hiccup))
        .row("ledger", "", decisions)
        .row("endpoints", "", runs)
        .row("store says", "", store)
        .row(
            "CPU per fire",
            Shown.decimal(cost.nodeMicros() + cost.postgresMicros()) + " µs",
            "node %s, Postgres %s; besides, this bench with the endpoints %s"
                .formatted(
                    Shown.decimal(cost.nodeMicros()),
                    Shown.decimal(cost.postgresMicros()),
                    Shown.decimal(cost.loadMicros())))
        .row("verdict", verdict());
  }

  @Override
  public Map<String, Object> data() {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("firesPerSecond", settings.fires());
    data.put("spreadMillis", settings.spread().toMillis());
    data.put("schedules", plan.schedules());
    data.put("endpoints", runs.data());
    data.put("ledger", decisions.data());
    data.put("endedOtherwise", store.otherwise());
    data.put("unfinished", store.unfinished());
    data.put("nodeMicros", cost.nodeMicros());
    data.put("postgresMicros", cost.postgresMicros());
    data.put("hiccupP999", hiccup.p999());
    data.put("exitCode", exitCode());
    return data;
  }
}
