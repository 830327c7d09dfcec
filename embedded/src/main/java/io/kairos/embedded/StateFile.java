package io.kairos.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;

/**
 * A file with an engine's process id in the first line, and its state in a later one. The child
 * writes it, the parent reads it. For Postgres it is {@code postmaster.pid}, whose eighth line
 * pg_ctl waits for too; our broker writes a file of two lines.
 *
 * @param stateLine counted from 0
 */
record StateFile(Path path, int stateLine) {
  static final String STARTING = "starting";

  /** The engine takes connections. */
  static final String READY = "ready";

  static StateFile ofBroker(Path path) {
    return new StateFile(path, 1);
  }

  static StateFile ofPostmaster(Path cluster) {
    return new StateFile(cluster.resolve("postmaster.pid"), 7);
  }

  /** Writes the file in one step, so that it is never incomplete. Called by the broker. */
  void write(String state) throws IOException {
    Path fresh = path.resolveSibling(path.getFileName() + ".new");
    Files.writeString(fresh, ProcessHandle.current().pid() + "\n" + state + "\n");
    Files.move(fresh, path, StandardCopyOption.ATOMIC_MOVE);
  }

  boolean isReady(long pid) {
    List<String> lines = lines();
    return lines.size() > stateLine
        && lines.getFirst().strip().equals(Long.toString(pid))
        && lines.get(stateLine).strip().equals(READY);
  }

  /** Id of the last process that was started here; it may have ended. */
  Optional<Long> pid() {
    return lines().stream()
        .findFirst()
        .map(String::strip)
        .filter(line -> line.matches("\\d{1,18}"))
        .map(Long::valueOf);
  }

  private List<String> lines() {
    try {
      return Files.readAllLines(path);
    } catch (IOException notThereOrHalfWritten) {
      return List.of();
    }
  }
}
