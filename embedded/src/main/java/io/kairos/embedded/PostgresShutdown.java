package io.kairos.embedded;

import io.kairos.embedded.process.ProcessSignal;
import io.kairos.embedded.process.RunningProcess;
import io.kairos.embedded.process.WaitDeadline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** Shuts down a Postgres server, and cleans up after one that was killed. */
final class PostgresShutdown {
  /**
   * Fast shutdown (clients are disconnected, a last checkpoint), then immediate shutdown (the next
   * start recovers). A server that has no clients yet is shut down immediately.
   */
  static final EmbeddedEngine.Pleas PLEAS =
      new EmbeddedEngine.Pleas(
          List.of(
              new RunningProcess.Plea(ProcessSignal.INT, Duration.ofSeconds(5)),
              new RunningProcess.Plea(ProcessSignal.QUIT, Duration.ofSeconds(2))),
          List.of(new RunningProcess.Plea(ProcessSignal.QUIT, Duration.ofSeconds(2))));

  private PostgresShutdown() {}

  /**
   * Removes a leftover state file once nobody works in the cluster's directory: the process id in
   * it may by now belong to a stranger (in a container even to a thread of this JVM), and Postgres
   * would refuse to start for as long as that one lives.
   */
  static void forgetLeftovers(StateFile state, Path cluster, WaitDeadline deadline)
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
