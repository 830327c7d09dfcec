package io.kairos.bench.calendar;

import io.kairos.bench.report.FigureList;
import io.kairos.bench.report.FigureList.Unit;
import io.kairos.bench.rig.BenchCommand;
import io.kairos.model.calendar.CalendarCheck;
import java.time.Duration;
import java.time.ZoneId;
import java.time.zone.ZoneRules;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench calendar}: every change of every zone, and every day between. */
@Command(
    name = "calendar",
    mixinStandardHelpOptions = true,
    description = {
      "Compares the fire times of expressions with a program that steps through every minute around every change of every",
      "zone from 1970 to 2050, under every policy, and those of daily rules with every day in between.",
      "Exit code 0: all agree; 1: some do not, and the first of them are shown."
    })
public final class CalendarBenchCommand extends BenchCommand {
  private static final int MOST_SHOWN = 20;

  @Option(
      names = "--zones",
      split = ",",
      paramLabel = "<zone>",
      description = "These zones only, for example Africa/Cairo,Europe/Berlin (default: all).")
  @Nullable List<ZoneId> zones;

  @Option(names = "--seed", defaultValue = "1", description = "Of the random expressions.")
  long seed;

  @Override
  protected int run() {
    List<ZoneId> asked = zones == null ? CalendarCheck.zones() : zones;
    long began = System.nanoTime();
    List<ZoneRun.Result> results =
        different(asked).parallelStream().map(zone -> new ZoneRun(zone, seed).run()).toList();
    Duration took = Duration.ofNanos(System.nanoTime() - began);
    List<String> findings = results.stream().flatMap(result -> result.findings().stream()).toList();
    FigureList figures =
        new FigureList()
            .fact("java", Runtime.version())
            .fact("seed", seed)
            .row("compared")
            .count("zones", "zones", asked.size())
            .count("rules", "with different rules", results.size())
            .count("changes", "changes", sum(results, ZoneRun.Result::changes))
            .count("comparisons", "comparisons", sum(results, ZoneRun.Result::comparisons))
            .count("days", "days", sum(results, ZoneRun.Result::days))
            .add("seconds", "took", Unit.SECONDS, took.toMillis() / 1e3)
            .row("disagreements")
            .count("disagreements", "", findings.size());
    show("result", figures);
    findings.stream().limit(MOST_SHOWN).forEach(System.out::println);
    return findings.isEmpty() ? 0 : 1;
  }

  private static long sum(List<ZoneRun.Result> results, ToLongFunction<ZoneRun.Result> of) {
    return results.stream().mapToLong(of).sum();
  }

  /** Many zones are names of one: one of those with the same rules stands for all. */
  private static Collection<ZoneId> different(List<ZoneId> zones) {
    Map<ZoneRules, ZoneId> different = new LinkedHashMap<>();
    zones.forEach(zone -> different.putIfAbsent(zone.getRules(), zone));
    return different.values();
  }
}
