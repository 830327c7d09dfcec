package io.kairos.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Reads {@code postmaster.pid}, in which a Postgres server says who it is and how far it is, and
 * clears away what an earlier run left. Its eighth line is the state that pg_ctl waits for too.
 */
final class Postmaster {
  /**
   * Fast shutdown (clients are disconnected, a last checkpoint), then immediate shutdown (the next
   * start recovers).
   */
  static final List<RunningProcess.Plea> SHUTDOWN =
      List.of(
          new RunningProcess.Plea(Signal.INT, Duration.ofSeconds(5)),
          new RunningProcess.Plea(Signal.QUIT, Duration.ofSeconds(2)));

  /** For a server that has no clients yet. */
  static final List<RunningProcess.Plea> IMMEDIATE_SHUTDOWN = SHUTDOWN.subList(1, 2);

  private static final int PID_LINE = 0;
  private static final int STATE_LINE = 7;

  private final Path cluster;

  Postmaster(Path cluster) {
    this.cluster = cluster;
  }

  boolean isReady(long pid) {
    List<String> lines = lines();
    return lines.size() > STATE_LINE
        && lines.get(PID_LINE).strip().equals(Long.toString(pid))
        && lines.get(STATE_LINE).strip().equals("ready");
  }

  /**
   * Stops what an earlier run left behind. The caller holds the directory's lock, so a server found
   * here has lost its owner. A leftover pid file is removed once nobody works in the directory: its
   * number may by now belong to a stranger (in a container even to a thread of this JVM), and
   * Postgres would refuse to start for as long as that one lives.
   */
  void clearLeftovers(Deadline deadline) throws InterruptedException, IOException {
    Optional<Long> pid = pid();
    if (pid.isEmpty()) {
      return;
    }
    Optional<RunningProcess> survivor =
        RunningProcess.find(pid.get(), "postgres", cluster.toString());
    if (survivor.isPresent()) {
      survivor.get().leave(SHUTDOWN);
    }
    if (Files.isDirectory(Path.of("/proc/self")) && deadline.await(() -> !someoneWorksHere())) {
      Files.deleteIfExists(file());
    }
  }

  private Optional<Long> pid() {
    List<String> lines = lines();
    if (lines.isEmpty() || !lines.getFirst().strip().matches("\\d{1,18}")) {
      return Optional.empty();
    }
    return Optional.of(Long.parseLong(lines.getFirst().strip()));
  }

  /**
   * Every process of a Postgres server, orphaned ones too, has the cluster as its working
   * directory.
   */
  private boolean someoneWorksHere() {
    try (Stream<ProcessHandle> all = ProcessHandle.allProcesses()) {
      return all.anyMatch(process -> cluster.equals(workingDirectory(process.pid())));
    }
  }

  private static Path workingDirectory(long pid) {
    try {
      return Files.readSymbolicLink(Path.of("/proc", Long.toString(pid), "cwd"));
    } catch (IOException goneOrNotOurs) {
      return Path.of("/");
    }
  }

  private List<String> lines() {
    try {
      return Files.readAllLines(file());
    } catch (IOException notThereOrHalfWritten) {
      return List.of();
    }
  }

  private Path file() {
    return cluster.resolve("postmaster.pid");
  }
}
