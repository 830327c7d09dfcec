package io.kairos.server.wiring;

import io.grpc.BindableService;
import io.kairos.api.tls.UnusableTlsException;
import io.kairos.edge.HttpEdge;
import io.kairos.edge.PortTakenException;
import io.kairos.edge.access.HttpConfig;
import io.kairos.edge.caller.UnusableCredentialsException;
import io.kairos.engine.loop.Step;
import io.kairos.engine.loop.StepActivity;
import io.kairos.engine.loop.Wakeup;
import io.kairos.engine.time.MonotonicClock;
import io.kairos.node.LoopThreads;
import io.kairos.node.ParkedWakeup;
import io.kairos.server.observe.MachineMetrics;
import io.kairos.server.observe.ProcessSigns;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running node or replica: its metrics, its HTTP edge, what it has opened, and its end. Its owner
 * waits for {@link #awaitEnd} and calls {@link #close}; any thread may call either.
 */
public abstract sealed class ServingProcess implements AutoCloseable
    permits RunningNode, RunningReplica {
  private static final Logger LOG = LoggerFactory.getLogger(ServingProcess.class);
  private static final Duration READY_LOOKS_EVERY = Duration.ofMillis(10);

  private static final Duration UPKEEP_ENDS_WITHIN = Duration.ofSeconds(1);

  final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  final MonotonicClock monotonic = System::nanoTime;
  final OpenedResources opened = new OpenedResources();
  private final CompletableFuture<Integer> end = new CompletableFuture<>();
  private final AtomicBoolean stopping = new AtomicBoolean();
  private final CountDownLatch stopped = new CountDownLatch(1);
  private volatile @Nullable HttpEdge edge;

  /** The health of the process, as its edge shows it. */
  abstract ProcessSigns signs();

  /**
   * Ends the loops, before everything that was opened and is not yet closed is closed.
   *
   * @param isBroken true when the process ends because it broke
   */
  abstract void stopLoops(boolean isBroken);

  /** Addresses and ids for the log line of the start. */
  public abstract Map<String, Object> facts();

  /**
   * Opens the edge and, with TLS, starts the loop that replaces its certificate.
   *
   * @param onDeath called when that loop has died
   */
  final HttpEdge openEdge(
      HttpConfig http, List<BindableService> services, BiConsumer<String, Throwable> onDeath) {
    try {
      HttpEdge started =
          opened.add("the HTTP edge", HttpEdge.start(http, registry, signs(), services));
      edge = started;
      keepUp(started.upkeep(), onDeath);
      return started;
    } catch (PortTakenException | UnusableTlsException | UnusableCredentialsException e) {
      throw new StartException(e);
    }
  }

  /** Runs steps for as long as the edge is open, which is before the process can work. */
  private void keepUp(List<Step> steps, BiConsumer<String, Throwable> onDeath) {
    LoopThreads threads =
        new LoopThreads(
            steps.stream().map(step -> StepActivity.serving(step, new ParkedWakeup())).toList(),
            monotonic,
            onDeath);
    threads.start();
    opened.add("the loops of the HTTP edge", () -> threads.stop(UPKEEP_ENDS_WITHIN));
  }

  /** Registers the metrics of the process and its machine. */
  final void watchMachine() {
    opened.add("the watch on the machine", MachineMetrics.watch(registry));
  }

  /** Closes what was opened if the start has failed. */
  final void closeUnless(boolean started) {
    if (!started) {
      opened.close();
    }
  }

  /**
   * Asks for the end with {@link ExitCode#BROKEN}; false if the end was asked for before. Called on
   * a dying thread. Allocates nothing, because memory may be exhausted.
   */
  final boolean breaks(String what) {
    signs().dies(what);
    return end.complete(ExitCode.BROKEN);
  }

  /** True from the first call of {@link #close} on. */
  final boolean isStopping() {
    return stopping.get();
  }

  /**
   * Waits until the process has to end.
   *
   * @return {@link ExitCode#OK} after {@link #close}, {@link ExitCode#BROKEN} when it broke
   */
  public final int awaitEnd() throws InterruptedException {
    try {
      return end.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Waits until the process can work, through every door; false when it could not in time, or ends
   * before.
   */
  public final boolean awaitReady(Duration atMost) {
    Wakeup pause = new ParkedWakeup();
    long untilNanos = monotonic.nanos() + atMost.toNanos();
    while (!obstacles().isEmpty()) {
      if (monotonic.nanos() - untilNanos >= 0
          || end.isDone()
          || Thread.currentThread().isInterrupted()) {
        return false;
      }
      pause.await(READY_LOOKS_EVERY);
    }
    return true;
  }

  /** Reasons why the process or one of its doors is not ready; empty when all are. */
  public final List<String> obstacles() {
    List<String> all = new ArrayList<>(signs().obstacles());
    signs()
        .doors()
        .forEach((door, reasons) -> reasons.forEach(reason -> all.add(door + ": " + reason)));
    return all;
  }

  /** The present metrics, as Prometheus would scrape them. */
  public final String metrics() {
    return registry.scrape();
  }

  /** Stops the process; returns when it has stopped, also when another thread stops it. */
  @Override
  public final void close() {
    if (!stopping.compareAndSet(false, true)) {
      awaitStopped();
      return;
    }
    long sinceNanos = monotonic.nanos();
    signs().stops();
    try {
      HttpEdge open = edge;
      if (open != null) {
        open.sendCallersAway(); // while the loops answer what is under way
      }
      stopLoops(end.isDone());
    } finally {
      opened.close();
      end.complete(ExitCode.OK);
      stopped.countDown();
      LOG.atInfo()
          .addKeyValue("tookMillis", Duration.ofNanos(monotonic.nanos() - sinceNanos).toMillis())
          .log("stopped");
    }
  }

  private void awaitStopped() {
    try {
      stopped.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
