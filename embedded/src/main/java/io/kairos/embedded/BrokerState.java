package io.kairos.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;

/**
 * The file in which a broker says who it is and how far it is, as Postgres does in {@code
 * postmaster.pid}: its process id, then its state. Written by the child, read by the parent;
 * replaced in one step, so never half-written.
 */
final class BrokerState {
  static final String STARTING = "starting";
  static final String READY = "ready";

  private final Path file;

  BrokerState(Path file) {
    this.file = file;
  }

  void write(String state) throws IOException {
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    Files.writeString(fresh, ProcessHandle.current().pid() + "\n" + state + "\n");
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
  }

  boolean isReady(long pid) {
    return lines().equals(List.of(Long.toString(pid), READY));
  }

  /** Of the last broker that was started here, whether it still runs or not. */
  Optional<Long> pid() {
    List<String> lines = lines();
    return lines.isEmpty() || !lines.getFirst().matches("\\d{1,18}")
        ? Optional.empty()
        : Optional.of(Long.parseLong(lines.getFirst()));
  }

  private List<String> lines() {
    try {
      return Files.readAllLines(file);
    } catch (IOException notThere) {
      return List.of();
    }
  }
}
