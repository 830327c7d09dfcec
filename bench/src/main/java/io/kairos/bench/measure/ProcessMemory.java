package io.kairos.bench.measure;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.nio.file.Path;

/** Memory of a process, from {@code /proc/<pid>/status} (proc(5)). */
public final class ProcessMemory {
  private static final long BYTES_PER_KIB = 1_024;

  private ProcessMemory() {}

  /** What it has in memory now; zero when it is gone, and where there is no {@code /proc}. */
  public static long resident(long pid) {
    return read(pid, "VmRSS:");
  }

  /** The most it ever had in memory; zero when it is gone, and where there is no {@code /proc}. */
  public static long peakResident(long pid) {
    return read(pid, "VmHWM:");
  }

  private static long read(long pid, String key) {
    Path status = Path.of("/proc", Long.toString(pid), "status");
    return FileLines.of(status, ISO_8859_1).stream()
        .filter(line -> line.startsWith(key))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * BYTES_PER_KIB)
        .findFirst()
        .orElse(0);
  }
}
