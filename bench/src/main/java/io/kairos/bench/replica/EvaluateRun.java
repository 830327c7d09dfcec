package io.kairos.bench.replica;

import io.kairos.bench.delay.Progress;
import io.kairos.bench.replica.TickedTable.Due;
import io.kairos.bench.report.Shown;
import io.kairos.bench.report.Table;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Evaluates a cron table over and over, on one thread of this process. */
final class EvaluateRun {
  private final Progress progress;
  private final Duration warmup;
  private final Duration measured;

  EvaluateRun(Progress progress, Duration warmup, Duration measured) {
    this.progress = progress;
    this.warmup = warmup;
    this.measured = measured;
  }

  Finding run() {
    Table table = new Table().row("due at each tick", "entries/s", "at least");
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("entries", TickedTable.ENTRIES);
    data.put("warmupSeconds", warmup.toSeconds());
    data.put("measuredSeconds", measured.toSeconds());
    List<String> failures = new ArrayList<>();
    for (Due due : List.of(Due.NONE, Due.ALL)) {
      String name = due.name().toLowerCase(Locale.ROOT);
      progress.say("evaluating a table of which %s are due".formatted(name));
      TickedTable ticked = new TickedTable(due);
      perSecond(ticked, warmup);
      double perSecond = perSecond(ticked, measured);
      double least = least(due);
      table.row(name, Shown.count(perSecond), Shown.count(least));
      data.put(name + "DuePerSecond", perSecond);
      if (perSecond < least) {
        failures.add("%s due: %s entries/s".formatted(name, Shown.count(perSecond)));
      }
    }
    return new Finding(
        "entries evaluated a second on one core, %s periodic entries with an action that does nothing"
            .formatted(Shown.count(TickedTable.ENTRIES)),
        table,
        data,
        failures);
  }

  /** Entries a second. */
  private static double least(Due due) {
    return switch (due) {
      case NONE -> 10e6;
      case ALL -> 2e6;
    };
  }

  private static double perSecond(TickedTable table, Duration length) {
    long began = System.nanoTime();
    long ticks = 0;
    long took;
    do {
      table.tick();
      ticks++;
      took = System.nanoTime() - began;
    } while (took < length.toNanos());
    return ticks * (double) TickedTable.ENTRIES * Duration.ofSeconds(1).toNanos() / took;
  }
}
