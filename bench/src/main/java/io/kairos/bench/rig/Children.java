package io.kairos.bench.rig;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/**
 * Starts processes that do not outlive the bench. The kernel's parent-death signal follows the
 * thread that forked (prctl(2), PR_SET_PDEATHSIG), so one thread that never ends starts them all.
 */
final class Children {
  private static final ExecutorService SPAWNER =
      Executors.newSingleThreadExecutor(
          Thread.ofPlatform().name("bench-spawner").daemon().factory());

  private Children() {}

  /** Standard output and error go to the log; an empty value removes a variable. */
  static Process start(List<String> command, Map<String, String> environment, Path log) {
    Process process =
        spawn(
            command,
            environment,
            builder ->
                builder
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile())));
    try {
      process.getOutputStream().close();
      return process;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start " + command, e);
    }
  }

  /** As {@link #start}, but standard input and output are for talking with it. */
  static Process startTalking(List<String> command, Map<String, String> environment, Path log) {
    return spawn(
        command,
        environment,
        builder -> builder.redirectError(ProcessBuilder.Redirect.appendTo(log.toFile())));
  }

  private static Process spawn(
      List<String> command, Map<String, String> environment, Consumer<ProcessBuilder> streams) {
    List<String> all = new ArrayList<>();
    if (DeathSignal.AVAILABLE) {
      all.add("setsid");
    }
    all.addAll(dyingWithParent(command));
    ProcessBuilder builder = new ProcessBuilder(all);
    streams.accept(builder);
    environment.forEach((name, value) -> {
      if (value.isEmpty()) {
        builder.environment().remove(name);
      } else {
        builder.environment().put(name, value);
      }
    });
    return CompletableFuture.supplyAsync(() -> spawn(builder), SPAWNER).join();
  }

  /** A command whose process is killed when the thread that started it ends. */
  static List<String> dyingWithParent(List<String> command) {
    List<String> all = new ArrayList<>();
    if (DeathSignal.AVAILABLE) {
      all.addAll(List.of("setpriv", "--pdeathsig", "KILL"));
    }
    all.addAll(command);
    return all;
  }

  private static Process spawn(ProcessBuilder builder) {
    try {
      return builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start " + builder.command(), e);
    }
  }

  /**
   * Runs a short command without output and returns its exit code, 127 when there is none of that
   * name.
   */
  static int run(List<String> command) {
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      process.getOutputStream().close();
      return process.onExit().join().exitValue();
    } catch (IOException e) {
      return 127;
    }
  }

  /** Asked once, when the first child starts. */
  private static final class DeathSignal {
    static final boolean AVAILABLE =
        run(List.of("setsid", "setpriv", "--pdeathsig", "KILL", "true")) == 0;
  }
}
