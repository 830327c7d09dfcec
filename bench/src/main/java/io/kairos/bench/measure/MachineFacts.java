package io.kairos.bench.measure;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNullElse;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The machine on which the figures were measured. */
public final class MachineFacts {
  private static final int KIB_PER_GIB = 1 << 20;

  private MachineFacts() {}

  public static Map<String, String> facts() {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
    facts.put("processor", first("/proc/cpuinfo", "model name"));
    facts.put("memory", memory());
    facts.put("kernel", property("os.name") + " " + property("os.version"));
    facts.put("load average", loadAverage());
    facts.put("java", property("java.vm.name") + " " + property("java.vm.version"));
    return facts;
  }

  /** Load average of the last minute before the run. */
  private static String loadAverage() {
    List<String> lines = FileLines.of(Path.of("/proc/loadavg"), UTF_8);
    return lines.isEmpty() ? "unknown" : lines.getFirst().split(" ", 2)[0];
  }

  private static String memory() {
    String kib = first("/proc/meminfo", "MemTotal").replaceAll("\\D", "");
    return kib.isEmpty() ? "unknown" : Math.round(Double.parseDouble(kib) / KIB_PER_GIB) + " GiB";
  }

  private static String first(String file, String key) {
    return FileLines.of(Path.of(file), UTF_8).stream()
        .filter(line -> line.startsWith(key))
        .map(line -> line.substring(line.indexOf(':') + 1).strip())
        .findFirst()
        .orElse("unknown");
  }

  private static String property(String name) {
    return requireNonNullElse(System.getProperty(name), "unknown");
  }
}
