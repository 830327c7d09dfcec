package io.kairos.embedded.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Starts all children from one platform thread that lives as long as the JVM. The kernel's
 * parent-death signal follows the forking thread and not its process: a database that a pool thread
 * or the carrier of a virtual thread has started would be shut down when that thread is retired.
 * See prctl(2), PR_SET_PDEATHSIG. Between starts the thread bounds the children's logs.
 */
public final class ProcessSpawner {
  private static final long TRIM_LOGS_EVERY_SECONDS = 30;

  /** Its thread never ends: tasks keep what they throw to themselves, and nobody shuts it down. */
  private static final ScheduledExecutorService THREAD =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("kairos-embedded-spawner").daemon().factory());

  static {
    var _ =
        THREAD.scheduleWithFixedDelay(
            ProcessLog::trimAll,
            TRIM_LOGS_EVERY_SECONDS,
            TRIM_LOGS_EVERY_SECONDS,
            TimeUnit.SECONDS);
  }

  private ProcessSpawner() {}

  /**
   * Starts a process. Once the thread has been asked, the wait cannot be interrupted, because a
   * caller that left earlier would leave an unknown child; forking takes milliseconds.
   */
  public static Process start(ProcessBuilder builder) throws IOException, InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    try {
      return CompletableFuture.supplyAsync(() -> started(builder), THREAD).join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof UncheckedIOException failed) {
        throw failed.getCause();
      }
      throw new IllegalStateException("cannot start " + builder.command(), e.getCause());
    }
  }

  private static Process started(ProcessBuilder builder) {
    try {
      return builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs a short command without input and output; cannot be interrupted. */
  public static int exitValueOf(List<String> command) throws IOException {
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    process.getOutputStream().close();
    return process.onExit().join().exitValue();
  }
}
