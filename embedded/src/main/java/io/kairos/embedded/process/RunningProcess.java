package io.kairos.embedded.process;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A process and its descendants, seen from outside: it can be terminated, killed, paused and
 * resumed. It may be a child of this JVM or an orphan of an earlier run. Not thread-safe; guarded
 * by the engine that owns it.
 */
public record RunningProcess(ProcessHandle handle) {
  /** A signal that asks a process to end, and the wait before the next signal. */
  public record StopSignal(ProcessSignal signal, Duration patience) {}

  /** Wait for the end of a killed process. The kernel needs much less, unless the disk hangs. */
  private static final Duration AFTER_KILL = Duration.ofSeconds(2);

  /**
   * proc(5): num_threads is field 20 of stat, and the state, which follows the name, is field 3.
   */
  private static final int THREADS_AFTER_NAME = 17;

  private static final Pattern BLANK = Pattern.compile(" ");

  /**
   * Finds a running process by its id, if its command line contains all the words; another program
   * may have got the id.
   */
  public static Optional<RunningProcess> find(long pid, String... words) {
    return ProcessHandle.of(pid)
        .map(RunningProcess::new)
        .filter(process -> process.isRunning() && process.commandLineHas(words));
  }

  long pid() {
    return handle.pid();
  }

  public boolean isRunning() {
    return handle.isAlive() && !isZombie();
  }

  /**
   * Sends each signal in turn, and kills the process in the end; returns false when it still runs.
   * Resumes a paused process first.
   */
  public boolean leave(List<StopSignal> signals) throws InterruptedException {
    resume();
    for (StopSignal next : signals) {
      if (!isRunning()) {
        return true;
      }
      next.signal().send(pid());
      if (WaitDeadline.in(next.patience()).await(() -> !isRunning())) {
        return true;
      }
    }
    return kill();
  }

  /** Kills the process and resumes its descendants, because paused ones would stay for ever. */
  public boolean kill() throws InterruptedException {
    List<Long> others = descendants();
    handle.destroyForcibly();
    boolean gone = WaitDeadline.in(AFTER_KILL).await(() -> !isRunning());
    ProcessSignal.CONT.send(others);
    return gone;
  }

  /**
   * Kills the process and all its descendants, and waits until none of them runs, so that none can
   * write a file afterwards. Pauses the process first, so that it starts no more of them.
   */
  public void killTree() throws InterruptedException {
    if (isRunning()) {
      ProcessSignal.STOP.send(pid());
      WaitDeadline.in(AFTER_KILL)
          .await(() -> {
            List<ProcessHandle> left =
                handle.descendants().filter(each -> new RunningProcess(each).isRunning()).toList();
            left.forEach(ProcessHandle::destroyForcibly);
            return left.isEmpty();
          });
      kill();
    }
  }

  /**
   * Pauses the process (SIGSTOP), and then all its descendants, when it can start no more. Waits
   * until they stand still: on a busy machine a process goes on until one of its threads has taken
   * the signal.
   */
  public void pause() {
    ProcessSignal.STOP.send(pid());
    List<Long> others = descendants();
    ProcessSignal.STOP.send(others);
    try {
      var _ =
          WaitDeadline.in(AFTER_KILL)
              .await(() ->
                  Stream.concat(Stream.of(pid()), others.stream())
                      .allMatch(pid -> hasStopped(stat(pid))));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Also true for a process that is gone, and where there is no /proc. */
  private static boolean hasStopped(String stat) {
    int afterName = stat.lastIndexOf(')') + 2;
    return afterName >= stat.length() || "TtZX".indexOf(stat.charAt(afterName)) >= 0;
  }

  private static String stat(long pid) {
    return read(Path.of("/proc", Long.toString(pid), "stat"));
  }

  /** Undoes {@link #pause}. */
  public void resume() {
    ProcessSignal.CONT.send(descendants());
    ProcessSignal.CONT.send(pid());
  }

  private List<Long> descendants() {
    return handle.descendants().map(ProcessHandle::pid).toList();
  }

  private boolean commandLineHas(String... words) {
    return Stream.of(words).allMatch(commandLine()::contains);
  }

  private String commandLine() {
    Path file = Path.of("/proc", Long.toString(pid()), "cmdline");
    if (Files.exists(file)) {
      return read(file).replace('\0', ' ');
    }
    return handle.info().commandLine().orElse("");
  }

  /**
   * True for an orphan that its new parent has not collected: it is in the process table but holds
   * no resources. A process whose main thread is a zombie while other threads run still holds its
   * ports.
   */
  private boolean isZombie() {
    String stat = stat(pid());
    int afterName = stat.lastIndexOf(')') + 2;
    if (afterName >= stat.length() || stat.charAt(afterName) != 'Z') {
      return false;
    }
    return BLANK
        .splitAsStream(stat.substring(afterName))
        .skip(THREADS_AFTER_NAME)
        .findFirst()
        .filter(threads -> threads.equals("0") || threads.equals("1"))
        .isPresent();
  }

  private static String read(Path file) {
    try {
      return Files.readString(file, ISO_8859_1);
    } catch (IOException gone) {
      return "";
    }
  }
}
