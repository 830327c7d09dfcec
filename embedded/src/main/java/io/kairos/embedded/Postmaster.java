package io.kairos.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** How a Postgres server is asked to leave, and what one that was killed leaves behind. */
final class Postmaster {
  /**
   * Fast shutdown (clients are disconnected, a last checkpoint), then immediate shutdown (the next
   * start recovers). A server that has no clients yet is shut down immediately.
   */
  static final EmbeddedEngine.Pleas PLEAS =
      new EmbeddedEngine.Pleas(
          List.of(
              new RunningProcess.Plea(Signal.INT, Duration.ofSeconds(5)),
              new RunningProcess.Plea(Signal.QUIT, Duration.ofSeconds(2))),
          List.of(new RunningProcess.Plea(Signal.QUIT, Duration.ofSeconds(2))));

  private Postmaster() {}

  /**
   * Removes a leftover state file once nobody works in the cluster's directory: the process id in
   * it may by now belong to a stranger (in a container even to a thread of this JVM), and Postgres
   * would refuse to start for as long as that one lives.
   */
  static void forgetLeftovers(StateFile state, Path cluster, Deadline deadline)
      throws InterruptedException, IOException {
    if (state.pid().isPresent()
        && Files.isDirectory(Path.of("/proc/self"))
        && deadline.await(() -> !someoneWorksIn(cluster))) {
      Files.deleteIfExists(state.path());
    }
  }

  /**
   * Every process of a Postgres server, orphaned ones too, has the cluster as its working
   * directory.
   */
  private static boolean someoneWorksIn(Path cluster) {
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
}
