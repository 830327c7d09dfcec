package io.kairos.embedded;

import io.kairos.embedded.process.ProcessLog;
import io.kairos.embedded.process.ProcessSignal;
import io.kairos.embedded.process.ProcessSpawner;
import io.kairos.embedded.process.RunningProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A child process that does not outlive this JVM. On Linux the kernel sends the child a signal when
 * its parent dies, however that happens. The child has its own session, so that Ctrl-C reaches only
 * Kairos, which then stops its children in order. On other systems there is no such signal: the
 * next start finds the survivor and stops it. Public for the bench, which runs nodes and workers in
 * such processes; not thread-safe.
 */
public final class ChildProcess {
  private static final Logger LOG = LoggerFactory.getLogger(ChildProcess.class);

  /**
   * Closes the gap between fork and the moment at which the death signal is set: the child would
   * not notice that its parent died in between.
   */
  private static final String STOP_IF_ORPHANED =
      "[ \"$PPID\" = \"$1\" ] || exit 75; shift; exec \"$@\"";

  /** The JVM's exit value for a child that was killed by SIGKILL. */
  static final int KILLED = 128 + 9;

  private final Process process;
  private final RunningProcess running;

  private ChildProcess(Process process) {
    this.process = process;
    this.running = new RunningProcess(process.toHandle());
  }

  /**
   * Starts a command whose output goes to the log. Its standard input is a pipe that ends with this
   * JVM.
   *
   * @param onParentDeath signal for the child when this JVM is gone
   * @param environment added to this JVM's; an empty value removes a variable
   */
  static ChildProcess start(
      ProcessIsolation isolation,
      ProcessSignal onParentDeath,
      List<String> command,
      Map<String, String> environment,
      ProcessLog log)
      throws IOException, InterruptedException {
    return start(
        isolation,
        onParentDeath,
        command,
        environment,
        builder -> builder.redirectErrorStream(true).redirectOutput(appendTo(log.path())));
  }

  /**
   * Starts a command as the user of this JVM, which is killed when this JVM is gone. Its output
   * goes to the log, whose size has no bound.
   *
   * @param environment added to this JVM's; an empty value removes a variable
   */
  public static ChildProcess start(List<String> command, Map<String, String> environment, Path log)
      throws IOException, InterruptedException {
    return start(
        ProcessIsolation.AS_IS, ProcessSignal.KILL, command, environment, new ProcessLog(log));
  }

  /**
   * Starts a command as the user of this JVM; its standard output is read by {@link #process}, and
   * only its standard error goes to the log.
   */
  public static ChildProcess startTalking(
      List<String> command, Map<String, String> environment, Path log)
      throws IOException, InterruptedException {
    return start(
        ProcessIsolation.AS_IS,
        ProcessSignal.KILL,
        command,
        environment,
        builder -> builder.redirectError(appendTo(log)));
  }

  private static ProcessBuilder.Redirect appendTo(Path log) {
    return ProcessBuilder.Redirect.appendTo(log.toFile());
  }

  private static ChildProcess start(
      ProcessIsolation isolation,
      ProcessSignal onParentDeath,
      List<String> command,
      Map<String, String> environment,
      Consumer<ProcessBuilder> streams)
      throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(isolation.prefix());
    if (DeathSignal.AVAILABLE) {
      all.addAll(List.of("setsid", "setpriv", "--pdeathsig", onParentDeath.name()));
      all.addAll(List.of("sh", "-c", STOP_IF_ORPHANED, "sh"));
      all.add(Long.toString(ProcessHandle.current().pid()));
    }
    all.addAll(command);
    ProcessBuilder builder = new ProcessBuilder(all);
    streams.accept(builder);
    environment.forEach((name, value) -> {
      if (value.isEmpty()) {
        builder.environment().remove(name);
      } else {
        builder.environment().put(name, value);
      }
    });
    return new ChildProcess(ProcessSpawner.start(builder));
  }

  /**
   * Returns a command for another process to start; the command is killed when that process ends.
   */
  public static List<String> dyingWithParent(List<String> command) {
    List<String> all = new ArrayList<>();
    if (DeathSignal.AVAILABLE) {
      all.addAll(List.of("setpriv", "--pdeathsig", ProcessSignal.KILL.name()));
    }
    all.addAll(command);
    return all;
  }

  /** The process with its streams and its exit value. */
  public Process process() {
    return process;
  }

  /** Sends SIGTERM, and SIGKILL after the given time; returns false when it had to be killed. */
  public boolean terminate(Duration patience) throws InterruptedException {
    ProcessSignal.TERM.send(pid());
    if (process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
      return true;
    }
    kill();
    return false;
  }

  /** Kills the process without a warning and waits for its end. */
  public void kill() throws InterruptedException {
    running.kill();
    process.waitFor();
  }

  public long pid() {
    return process.pid();
  }

  /** Java learns of an end a little later than the process table does. */
  public boolean isRunning() {
    return process.isAlive() && running.isRunning();
  }

  /** The process with its descendants, for pausing and resuming. */
  public RunningProcess running() {
    return running;
  }

  /** Waits for the end of a child that ends by itself. */
  int waitFor() throws InterruptedException {
    return process.waitFor();
  }

  /** The command that sets the death signal; looked up when the first child starts. */
  private static final class DeathSignal {
    static final boolean AVAILABLE = probe();

    private static boolean probe() {
      if (!OptionChecks.systemProperty("os.name").equals("Linux")) {
        return false;
      }
      boolean works =
          ProcessIsolation.succeeds(
              List.of("setsid", "setpriv", "--pdeathsig", "KILL", "sh", "-c", "exit 0"));
      if (!works) {
        LOG.warn(
            "setsid and setpriv (util-linux) are missing: an embedded server may outlive a killed Kairos until the next start");
      }
      return works;
    }
  }
}
