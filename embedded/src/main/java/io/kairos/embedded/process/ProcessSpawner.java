package io.kairos.embedded.process;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;

/**
 * Starts all children from one platform thread that lives as long as the JVM. The kernel's
 * parent-death signal follows the forking thread and not its process: a database that a pool thread
 * or the carrier of a virtual thread has started would be shut down when that thread is retired.
 * See prctl(2), PR_SET_PDEATHSIG. Between starts the thread bounds the children's logs.
 */
public final class ProcessSpawner {
  private static final long TRIM_LOGS_EVERY_SECONDS = 30;
  private static final BlockingQueue<FutureTask<Process>> REQUESTS = new SynchronousQueue<>();

  static {
    Thread.ofPlatform().name("kairos-embedded-spawner").daemon().start(ProcessSpawner::serve);
  }

  private ProcessSpawner() {}

  public static Process start(ProcessBuilder builder) throws IOException, InterruptedException {
    FutureTask<Process> request = new FutureTask<>(builder::start);
    REQUESTS.put(request);
    try {
      return result(request);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException cause) {
        throw cause;
      }
      throw new IllegalStateException("cannot start " + builder.command(), e.getCause());
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

  /**
   * Waits without interruption, because a caller that left earlier would leave an unknown child.
   * Forking takes milliseconds.
   */
  private static Process result(FutureTask<Process> request) throws ExecutionException {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return request.get();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Never ends and never throws, because the end of this thread would end the children. Tasks catch
   * their own exceptions.
   */
  private static void serve() {
    while (true) {
      try {
        FutureTask<Process> request = REQUESTS.poll(TRIM_LOGS_EVERY_SECONDS, TimeUnit.SECONDS);
        if (request != null) {
          request.run();
        } else {
          new FutureTask<>(ProcessLog::trimAll, true).run();
        }
      } catch (InterruptedException e) {
        // Nobody has a reason to interrupt this thread; obeying would stop the databases.
      }
    }
  }
}
