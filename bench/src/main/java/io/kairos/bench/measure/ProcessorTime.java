package io.kairos.bench.measure;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

/**
 * Processor time of a process with its children, from {@code /proc/<pid>/stat} (proc(5)): user and
 * system time of the living, and of those children that ended and were waited for, which is how a
 * vacuum worker still counts after it is gone.
 */
public final class ProcessorTime {
  /** USER_HZ, which is 100 on every Linux that a JVM runs on. */
  private static final long MILLIS_PER_TICK = 10;

  /** Fields count from the one after the name: utime, stime, cutime and cstime are 14 to 17. */
  private static final int UTIME = 11;

  private static final int STIME = 12;
  private static final int CUTIME = 13;
  private static final int CSTIME = 14;

  private ProcessorTime() {}

  /** Zero for a process that is gone, and where there is no {@code /proc}. */
  public static Duration ofTree(long pid) {
    long ticks = Stream.concat(Stream.of(pid), children(pid)).mapToLong(ProcessorTime::own).sum();
    return Duration.ofMillis((ticks + ofDead(pid)) * MILLIS_PER_TICK);
  }

  /** Without children: of the bench itself, whose children are what it measures. */
  public static Duration ofProcess(long pid) {
    return Duration.ofMillis(own(pid) * MILLIS_PER_TICK);
  }

  private static Stream<Long> children(long pid) {
    return ProcessHandle.of(pid).stream()
        .flatMap(ProcessHandle::descendants)
        .map(ProcessHandle::pid);
  }

  private static long own(long pid) {
    String[] fields = fields(pid);
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
    try {
      String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"), ISO_8859_1);
      return stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    } catch (IOException gone) {
      return new String[0];
    }
  }
}
