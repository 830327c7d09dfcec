package io.kairos.bench.measure;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Processor time of a process and its children, from {@code /proc/<pid>/stat} (proc(5)): user and
 * system time of living processes, and of children that ended and were waited for. So a vacuum
 * worker still counts after its end.
 */
public final class ProcessorTime {
  /** USER_HZ, which is 100 on every Linux that a JVM runs on. */
  private static final long MILLIS_PER_TICK = 10;

  /** Fields count from the one after the name: utime, stime, cutime and cstime are 14 to 17. */
  private static final int UTIME = 11;

  private static final int STIME = 12;
  private static final int CUTIME = 13;
  private static final int CSTIME = 14;

  /** The JVM's names of compiler threads, as far as the kernel keeps them. */
  private static final Pattern COMPILER = Pattern.compile("\\(C[12] Compiler");

  private ProcessorTime() {}

  /** Processor time with children; zero for a process that is gone, or without {@code /proc}. */
  public static Duration ofTree(long pid) {
    long ticks = Stream.concat(Stream.of(pid), children(pid)).mapToLong(ProcessorTime::own).sum();
    return Duration.ofMillis((ticks + ofDead(pid)) * MILLIS_PER_TICK);
  }

  /** Processor time without children: that of the bench, whose children are the measured system. */
  public static Duration ofProcess(long pid) {
    return Duration.ofMillis(own(pid) * MILLIS_PER_TICK);
  }

  /** Processor time of a JVM's current compiler threads. */
  public static Duration ofCompilers(long pid) {
    try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(pid), "task"))) {
      long ticks =
          threads
              .map(thread -> stat(thread.resolve("stat")))
              .filter(stat -> COMPILER.matcher(stat).find())
              .mapToLong(stat -> own(fields(stat)))
              .sum();
      return Duration.ofMillis(ticks * MILLIS_PER_TICK);
    } catch (IOException gone) {
      return Duration.ZERO;
    }
  }

  private static Stream<Long> children(long pid) {
    return ProcessHandle.of(pid).stream()
        .flatMap(ProcessHandle::descendants)
        .map(ProcessHandle::pid);
  }

  private static long own(long pid) {
    return own(fields(pid));
  }

  private static long own(String[] fields) {
    return number(fields, UTIME) + number(fields, STIME);
  }

  private static long ofDead(long pid) {
    String[] fields = fields(pid);
    return number(fields, CUTIME) + number(fields, CSTIME);
  }

  private static long number(String[] fields, int at) {
    return at < fields.length ? Long.parseLong(fields[at]) : 0;
  }

  private static String[] fields(long pid) {
    return fields(stat(Path.of("/proc", Long.toString(pid), "stat")));
  }

  private static String[] fields(String stat) {
    return stat.isEmpty()
        ? new String[0]
        : stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
  }

  /** Empty for a process or thread that is gone. */
  private static String stat(Path file) {
    return String.join("\n", FileLines.of(file, ISO_8859_1));
  }
}
