package io.kairos.embedded;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.embedded.EmbeddedStartException.Problem;
import io.kairos.embedded.process.ProcessLog;
import io.kairos.embedded.process.ProcessSignal;
import io.kairos.embedded.process.RunningProcess;
import io.kairos.embedded.process.WaitDeadline;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The life of an engine that is a child process of this JVM. The engine is started on a data
 * directory that it owns alone, watched until it is ready, and stopped at the end; tests also kill,
 * pause and restart it. When this JVM dies, the engine ends too (Linux), or the next start stops
 * it.
 *
 * <p>One thread at a time drives the life (the methods are synchronized); any thread may call the
 * accessors. After {@link #kill()} or a crash only {@link #restart()} starts the engine again.
 */
public abstract sealed class EmbeddedEngine implements AutoCloseable
    permits EmbeddedKafka, EmbeddedPostgres {
  private static final Logger LOG = LoggerFactory.getLogger(EmbeddedEngine.class);

  /**
   * Bound on a whole start, with recovery after a crash: Postgres replays up to {@code
   * max_wal_size} of log before it accepts a connection. An engine that is not ready by then is
   * stopped.
   */
  private static final Duration START_WITHIN = Duration.ofMinutes(2);

  /**
   * The directory of an engine, with its lock.
   *
   * @param engine its name, for messages
   * @param directory as the user names it
   * @param lock keeps other owners out of the directory
   */
  record Home(String engine, Path directory, DirectoryLock lock, ProcessLog log)
      implements AutoCloseable {
    EmbeddedStartException unusable(IOException e) {
      return EmbeddedStartException.unusable(
          "Cannot use the data directory %s for %s".formatted(directory, engine), e);
    }

    EmbeddedStartException interrupted(InterruptedException e) {
      Thread.currentThread().interrupt();
      return new EmbeddedStartException(
          Problem.INTERRUPTED, "Interrupted while waiting for " + engine + ".", e);
    }

    @Override
    public void close() {
      log.close();
      lock.close();
    }
  }

  /**
   * Signals that stop an engine before it is killed.
   *
   * @param orderly signals after which the engine writes its memory to disk
   * @param hasty signals for an engine that has no clients yet
   */
  record StopSignals(
      List<RunningProcess.StopSignal> orderly, List<RunningProcess.StopSignal> hasty) {}

  /** Makes an engine that has no process yet. */
  interface Maker<E extends EmbeddedEngine> {
    E make(WaitDeadline deadline) throws IOException, InterruptedException;
  }

  private final Home home;
  private final StopSignals stopSignals;
  private final IntSupplier freePorts;

  /** 0 until the engine has a port, which is then kept, so that clients find a restarted engine. */
  @GuardedBy("this")
  private int fixedPort;

  @GuardedBy("this")
  private boolean settled;

  private volatile int port;
  private volatile @Nullable ChildProcess child;

  EmbeddedEngine(Home home, StopSignals stopSignals, int port, IntSupplier freePorts) {
    this.home = home;
    this.stopSignals = stopSignals;
    this.fixedPort = port;
    this.freePorts = freePorts;
  }

  /** Starts an engine, or leaves nothing behind. */
  static <E extends EmbeddedEngine> E start(Home home, Maker<E> maker) {
    WaitDeadline deadline = WaitDeadline.in(START_WITHIN);
    boolean started = false;
    try {
      E engine = maker.make(deadline);
      engine.launch(deadline);
      started = true;
      return engine;
    } catch (IOException e) {
      throw home.unusable(e);
    } catch (InterruptedException e) {
      throw home.interrupted(e);
    } finally {
      if (!started) {
        home.close();
      }
    }
  }

  /** The state file in which the engine writes its process id and its state. */
  abstract StateFile state();

  /** Words of the command line by which an orphan of an earlier run is recognised. */
  abstract String[] marks();

  /** Removes leftovers of an earlier run that no process uses any more. */
  void forgetLeftovers(WaitDeadline deadline) throws IOException, InterruptedException {}

  /** Starts the process on a port, which stays the same after the first success. */
  @GuardedBy("this")
  abstract ChildProcess spawn(int chosenPort) throws IOException, InterruptedException;

  /** True when the process still runs but will not become ready. */
  boolean hasGivenUp() {
    return false;
  }

  /** True for a line of the log that says why the engine has ended. */
  abstract boolean isReason(String logLine);

  /** True when another try may succeed after a failure for that reason. */
  @GuardedBy("this")
  abstract boolean mayPass(String reason);

  /** Called when the process is ready, to check and complete the data that clients need. */
  void prepare() {}

  /** Called when the process has ended, stopped or killed. */
  void stopped(ChildProcess left) throws InterruptedException {}

  final Home home() {
    return home;
  }

  /** True when the engine has been ready before: its ports are kept. */
  @GuardedBy("this")
  final boolean isSettled() {
    return settled;
  }

  /** True when the port is not fixed, so that another one may be chosen. */
  @GuardedBy("this")
  final boolean choosesPort() {
    return fixedPort == 0;
  }

  public final int port() {
    return port;
  }

  /** Id of the process that was started, which may have child processes. */
  public final long pid() {
    return child().pid();
  }

  /** False after a kill or a crash. */
  public final boolean isRunning() {
    ChildProcess current = child;
    return current != null && current.isRunning();
  }

  /** Kills the engine without a warning (SIGKILL), like a crash. */
  public final synchronized void kill() {
    try {
      child().running().kill();
    } catch (InterruptedException e) {
      throw home.interrupted(e);
    }
  }

  /** Restarts the engine on the same port and data; stops it first if it still runs. */
  public final synchronized void restart() {
    WaitDeadline deadline = WaitDeadline.in(START_WITHIN);
    try {
      stop(child());
      launch(deadline);
    } catch (IOException e) {
      throw home.unusable(e);
    } catch (InterruptedException e) {
      throw home.interrupted(e);
    }
  }

  /** Pauses all processes of the engine (SIGSTOP): connections stay open and get no answer. */
  public final synchronized void pause() {
    child().running().pause();
  }

  /** Undoes {@link #pause()}. */
  public final synchronized void resume() {
    child().running().resume();
  }

  /** Stops the engine in order, bounded by some seconds, then by SIGKILL. Idempotent. */
  @Override
  public final synchronized void close() {
    ChildProcess last = child();
    try {
      stop(last);
    } catch (InterruptedException e) {
      killAtOnce(last);
    } finally {
      home.close();
    }
  }

  private void stop(ChildProcess running) throws InterruptedException {
    if (running.running().leave(stopSignals.orderly())) {
      stopped(running);
    }
  }

  final synchronized void launch(WaitDeadline deadline) throws IOException, InterruptedException {
    clearLeftovers(deadline);
    boolean ready = false;
    try {
      ChildProcess fresh = spawn();
      while (!awaitReady(fresh, deadline)) {
        fresh = spawn();
      }
      prepare();
      ready = true;
      fixedPort = port;
      settled = true;
      LOG.info("embedded {} listens on 127.0.0.1:{}, process {}", home.engine(), port, fresh.pid());
    } finally {
      if (!ready) {
        abandon();
      }
    }
  }

  /**
   * Ends an engine of an earlier run. This JVM has the directory's lock, so the owner of that
   * engine is gone, and the engine is ending or paused.
   */
  private void clearLeftovers(WaitDeadline deadline) throws IOException, InterruptedException {
    Optional<RunningProcess> survivor =
        state().pid().flatMap(pid -> RunningProcess.find(pid, marks()));
    if (survivor.isPresent()) {
      survivor.get().leave(stopSignals.orderly());
    }
    forgetLeftovers(deadline);
  }

  @GuardedBy("this")
  private ChildProcess spawn() throws IOException, InterruptedException {
    if (fixedPort == 0) {
      port = freePorts.getAsInt();
    } else {
      LoopbackPort.requireFree(fixedPort, home.engine());
      port = fixedPort;
    }
    ChildProcess fresh = spawn(port);
    child = fresh;
    return fresh;
  }

  /** Waits until the engine is ready; false when it is not and another try may succeed. */
  @GuardedBy("this")
  private boolean awaitReady(ChildProcess fresh, WaitDeadline deadline)
      throws InterruptedException {
    StateFile state = state();
    deadline.await(() -> !fresh.isRunning() || state.isReady(fresh.pid()) || hasGivenUp());
    boolean running = fresh.isRunning();
    if (running && state.isReady(fresh.pid())) {
      return true;
    }
    if (running && (deadline.hasPassed() || !hasGivenUp())) {
      throw new EmbeddedStartException(
          Problem.TOO_SLOW,
          "%s was not ready within %d s; it may still be recovering from a crash, see %s."
              .formatted(home.engine(), START_WITHIN.toSeconds(), home.log().path()));
    }
    String reason = home.log().reason(this::isReason);
    if (!mayPass(reason) || deadline.hasPassed()) {
      throw new EmbeddedStartException(
          Problem.ENDED_EARLY, home.engine() + " ended while it was starting: " + reason);
    }
    fresh.running().kill();
    deadline.pause();
    return false;
  }

  /** Stops a process that never became ready, because no caller has a reference to stop it. */
  private void abandon() {
    ChildProcess unseen = child;
    if (unseen == null) {
      return;
    }
    try {
      unseen.running().leave(stopSignals.hasty());
    } catch (InterruptedException e) {
      killAtOnce(unseen);
    }
  }

  private static void killAtOnce(ChildProcess left) {
    ProcessSignal.KILL.send(left.pid());
    Thread.currentThread().interrupt();
  }

  private ChildProcess child() {
    ChildProcess current = child;
    if (current == null) {
      throw new IllegalStateException("the embedded " + home.engine() + " was never started");
    }
    return current;
  }
}
