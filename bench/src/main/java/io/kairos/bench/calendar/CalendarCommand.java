package io.kairos.bench.calendar;

import io.kairos.bench.report.OutputOptions;
import io.kairos.bench.report.Shown;
import io.kairos.bench.report.Table;
import java.io.PrintStream;
import java.time.Duration;
import java.time.ZoneId;
import java.time.zone.ZoneRules;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
public final class CalendarCommand implements Callable<Integer> {
  private static final int MOST_SHOWN = 20;

  @Option(
      names = "--zones",
      split = ",",
      paramLabel = "<zone>",
      description = "These zones only, for example Africa/Cairo,Europe/Berlin (default: all).")
  @Nullable List<ZoneId> zones;

  @Option(
      names = "--seed",
      defaultValue = "1",
      description = "Of the random expressions (default ${DEFAULT-VALUE}).")
  long seed;

  @Option(
      names = "--random",
      defaultValue = "4",
      description =
          "Random expressions at each change, beside the fixed ones (default ${DEFAULT-VALUE}).")
  int random;

  @Mixin OutputOptions output = new OutputOptions();

  private final PrintStream out = System.out;

  @Override
  public Integer call() {
    List<ZoneId> asked = zones == null ? ZoneRun.allZones() : zones;
    long began = System.nanoTime();
    List<ZoneRun.Result> results =
        different(asked).parallelStream()
            .map(zone -> new ZoneRun(zone, seed, random).run())
            .toList();
    Duration took = Duration.ofNanos(System.nanoTime() - began);
    List<String> findings = results.stream().flatMap(ZoneRun.Result::wrong).toList();
    Map<String, Object> data = data(asked.size(), results, findings.size(), took);
    Table table = new Table();
    data.forEach((name, value) -> table.row(name, shown(value)));
    out.println(table);
    Stream.concat(
            findings.stream().limit(MOST_SHOWN),
            Stream.of(findings.isEmpty() ? "all agree" : findings.size() + " do not agree"))
        .forEach(out::println);
    output.write(() -> data, () -> "");
    return findings.isEmpty() ? 0 : 1;
  }

  /** Many zones are names of one: one of those with the same rules stands for all. */
  private static Collection<ZoneId> different(List<ZoneId> zones) {
    Map<ZoneRules, ZoneId> different = new LinkedHashMap<>();
    zones.forEach(zone -> different.putIfAbsent(zone.getRules(), zone));
    return different.values();
  }

  private static String shown(Object value) {
    return value instanceof Long number ? Shown.count(number) : value.toString();
  }

  private Map<String, Object> data(
      int asked, List<ZoneRun.Result> results, int wrong, Duration took) {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("java", Runtime.version().toString());
    data.put("seed", Long.toString(seed));
    data.put("zones", (long) asked);
    data.put("with different rules", (long) results.size());
    data.put("changes", results.stream().mapToLong(ZoneRun.Result::changes).sum());
    data.put("comparisons", results.stream().mapToLong(ZoneRun.Result::comparisons).sum());
    data.put("days", results.stream().mapToLong(ZoneRun.Result::days).sum());
    data.put("disagreements", (long) wrong);
    data.put("took", took.toSeconds() + " s");
    return data;
  }
}
