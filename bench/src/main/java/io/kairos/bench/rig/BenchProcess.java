package io.kairos.bench.rig;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kairos.bench.load.BenchWait;
import io.kairos.bench.load.LoadClock;
import io.kairos.bench.measure.ProcessorTime;
import io.kairos.embedded.ChildProcess;
import io.kairos.embedded.process.RunningProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** A process that the bench has started and that does not outlive the bench. Used by one thread. */
public class BenchProcess implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration STOP_PATIENCE = Duration.ofSeconds(30);
  protected static final Map<String, String> NO_JAVA_OPTIONS =
      Map.of("JAVA_TOOL_OPTIONS", "", "JDK_JAVA_OPTIONS", "");

  private final String name;
  private final ChildProcess child;
  private final CompletableFuture<Long> endedMicros;

  /** Starts the child process. */
  @FunctionalInterface
  protected interface Start {
    ChildProcess start(List<String> command, Map<String, String> environment, Path log)
        throws IOException, InterruptedException;
  }

  /**
   * Starts a command.
   *
   * @param log takes what it prints
   */
  protected BenchProcess(
      String name, Start how, List<String> command, Map<String, String> environment, Path log) {
    this.name = name;
    try {
      child = how.start(command, environment, log);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start " + command, e);
    } catch (InterruptedException e) {
      throw BenchWait.interrupted("the start of a process", e);
    }
    endedMicros = child.process().onExit().thenApply(_ -> LoadClock.micros());
  }

  /**
   * Starts a worker of a main class of this bench.
   *
   * @param settings a record of that class, for {@link #settings}
   */
  public static BenchProcess worker(Class<?> main, Record settings, Path log) {
    return worker(main, List.of(json(settings)), log);
  }

  /** Starts a main class. */
  public static BenchProcess worker(Class<?> main, List<String> arguments, Path log) {
    List<String> command = command(List.of("-Xmx512m"), main, arguments);
    return new BenchProcess(
        main.getSimpleName(), ChildProcess::start, command, NO_JAVA_OPTIONS, log);
  }

  /** The command of a small one that another process starts, and that does not outlive that. */
  public static List<String> childCommand(Class<?> main, Record settings) {
    return ChildProcess.dyingWithParent(
        command(List.of("-Xmx64m", "-XX:TieredStopAtLevel=1"), main, List.of(json(settings))));
  }

  /** Settings as the only argument of a process. */
  protected static String json(Record settings) {
    try {
      return JSON.writeValueAsString(settings);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(settings.toString(), e);
    }
  }

  /** The settings with which this process was started. Also directs logs to the bench's own. */
  public static <T extends Record> T settings(String[] arguments, Class<T> type)
      throws JsonProcessingException {
    System.setProperty("logback.configurationFile", "io/kairos/bench/bench-logback.xml");
    return JSON.readValue(arguments[0], type);
  }

  protected static List<String> command(
      List<String> options, Class<?> main, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(requireNonNull(System.getProperty("java.home")), "bin", "java").toString());
    command.addAll(options);
    command.addAll(
        List.of(
            "-XX:+UseSerialGC",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-cp",
            requireNonNull(System.getProperty("java.class.path")),
            main.getName()));
    command.addAll(arguments);
    return command;
  }

  public String name() {
    return name;
  }

  protected final Process process() {
    return child.process();
  }

  public long pid() {
    return child.pid();
  }

  public boolean isRunning() {
    return child.isRunning();
  }

  /** When the process has ended, which it must have; nobody need have looked at that time. */
  public long endedMicros() {
    return endedMicros.join();
  }

  /** CPU time of the process and its children since its start. */
  public Duration processorTime() {
    return ProcessorTime.ofTree(pid());
  }

  /** SIGKILL: no farewell. Returns when the process is gone. */
  public void kill() {
    try {
      child.kill();
    } catch (InterruptedException e) {
      throw BenchWait.interrupted("the end of " + name, e);
    }
  }

  /** The process with all that it has started. */
  public RunningProcess running() {
    return child.running();
  }

  /** SIGSTOP: the process stands still, its connections stay open. */
  public void pause() {
    child.running().pause();
  }

  /** Undoes {@link #pause}. */
  public void resume() {
    child.running().resume();
  }

  /** SIGTERM, and SIGKILL when that takes too long. Returns how long it took. */
  public Duration stop() {
    long began = System.nanoTime();
    terminate(STOP_PATIENCE);
    return Duration.ofNanos(System.nanoTime() - began);
  }

  /** Returns false when it had to be killed. */
  boolean terminate(Duration patience) {
    try {
      return child.terminate(patience);
    } catch (InterruptedException e) {
      throw BenchWait.interrupted("the end of " + name, e);
    }
  }

  /** Ends it in whatever state it is. */
  @Override
  public void close() {
    if (isRunning()) {
      kill();
    }
  }
}
