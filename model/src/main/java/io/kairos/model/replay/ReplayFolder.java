package io.kairos.model.replay;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The files by which the JVMs of a replay get their input, and the running JVMs. */
final class ReplayFolder implements AutoCloseable {
  private static final int MINUTES_TO_END = 5;
  private static final int MOST_WORDS = 4_000;

  private final Path folder;
  private final List<Run> runs = new ArrayList<>();

  /** A JVM that misses the log after one request up to another; nothing if both are the same. */
  record Run(ReplayJvm jvm, int missedAfter, int missedUntil, Path folder, Process process) {
    /** The first point at which this replay differs from one that executed the whole log. */
    Optional<ReplayTracePoint> firstDifference(
        List<ReplayTracePoint> whole, List<ReplayTracePoint> own) {
      return ReplayTracePoint.firstDifference(
          whole.stream()
              .filter(mark -> mark.sequence() <= missedAfter || mark.sequence() > missedUntil)
              .toList(),
          own);
    }
  }

  /** Thrown when a replica did not get to the end of the log. */
  static final class RunFailed extends RuntimeException {
    private RunFailed(String message) {
      super(message);
    }
  }

  ReplayFolder(List<ReplayLine> log) {
    try {
      folder = Files.createTempDirectory("kairos-replay");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    ReplayLine.writeAll(log, folder.resolve(ReplayMain.LOG));
  }

  Run start(ReplayJvm jvm, int missedAfter, int missedUntil) {
    try {
      Path own = Files.createDirectory(folder.resolve(jvm.name()));
      Process process =
          jvm.builder(List.of("" + missedAfter, "" + missedUntil))
              .directory(own.toFile())
              .redirectErrorStream(true)
              .redirectOutput(own.resolve("said").toFile())
              .start();
      Run run = new Run(jvm, missedAfter, missedUntil, own, process);
      runs.add(run);
      return run;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits for the end of a run; throws {@link RunFailed} with its output if it failed. */
  List<ReplayTracePoint> await(Run run) {
    try {
      if (!run.process().waitFor(MINUTES_TO_END, TimeUnit.MINUTES)) {
        throw new RunFailed(run.jvm() + " was not done after " + MINUTES_TO_END + " minutes");
      }
      if (run.process().exitValue() != 0) {
        String said =
            new String(Files.readAllBytes(run.folder().resolve("said")), StandardCharsets.UTF_8);
        int place = Math.max(0, said.lastIndexOf(ReplayMain.PLACE));
        int end = Math.min(said.length(), place + MOST_WORDS);
        throw new RunFailed(
            run.jvm() + " has stopped, and said at last: " + said.substring(place, end));
      }
      return ReplayTracePoint.readAll(run.folder().resolve(ReplayMain.MARKS));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while a log was replayed", e);
    }
  }

  @Override
  public void close() {
    runs.forEach(run -> run.process().destroyForcibly().onExit().join());
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
