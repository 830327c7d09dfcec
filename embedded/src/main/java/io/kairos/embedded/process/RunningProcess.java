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
public final class RunningProcess {
  /** A signal that asks a process to end, and how long to wait before the next signal. */
  public record Plea(ProcessSignal signal, Duration patience) {}

  /** The kernel has done its work on a KILL long before this, unless the disk hangs. */
  private static final Duration AFTER_KILL = Duration.ofSeconds(2);

  /**
   * proc(5): num_threads is field 20 of stat, and the state, which follows the name, is field 3.
   */
  private static final int THREADS_AFTER_NAME = 17;

  private static final Pattern BLANK = Pattern.compile(" ");

  private final ProcessHandle handle;

  public RunningProcess(ProcessHandle handle) {
    this.handle = handle;
  }

  /**
   * The process with this id if it runs and its command line has all the given words, which tells
   * it from a stranger with a reused id.
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
   * Sends each plea in turn, and kills the process in the end; returns false when it still runs.
   * Resumes a paused process first.
   */
  public boolean leave(List<Plea> pleas) throws InterruptedException {
    resume();
    for (Plea plea : pleas) {
      if (!isRunning()) {
        return true;
      }
      plea.signal().send(pid());
      if (WaitDeadline.in(plea.patience()).await(() -> !isRunning())) {
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
   * Kills the process and all its descendants, and waits until none of them runs: afterwards none
   * can write a file. The process is stopped first, so that it starts no more of them.
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

  /** Pauses the process (SIGSTOP), and then, when it can start no more, all its descendants. */
  public void pause() {
    ProcessSignal.STOP.send(pid());
    ProcessSignal.STOP.send(descendants());
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
   * An orphan whose new parent does not collect it stays in the process table, but it holds nothing
   * any more. While its main thread is a zombie and others are not, it still has its ports.
   */
  private boolean isZombie() {
    String stat = read(Path.of("/proc", Long.toString(pid()), "stat"));
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
