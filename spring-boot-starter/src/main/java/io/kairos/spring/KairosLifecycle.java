package io.kairos.spring;

import io.kairos.client.error.NodesUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Stores schedules and performs tasks from the moment at which everything else of the application
 * has started, and drains the worker before anything else stops.
 */
final class KairosLifecycle implements SmartLifecycle {
  private static final Logger LOG = LoggerFactory.getLogger(KairosLifecycle.class);
  private static final long MILLIS_TO_NEXT = 5_000;

  private final KairosMode mode;
  private final TaskMethods methods;
  private final KairosProperties properties;
  private final ScheduleReconciler schedules;

  private KairosMode.@Nullable Performing performing;

  /** Stores schedules while no node has answered. */
  private @Nullable Thread later;

  private boolean running;

  KairosLifecycle(
      KairosMode mode,
      TaskMethods methods,
      KairosProperties properties,
      ScheduleReconciler schedules) {
    this.mode = mode;
    this.methods = methods;
    this.properties = properties;
    this.schedules = schedules;
  }

  @Override
  public synchronized void start() {
    if (running) {
      return;
    }
    mode.start(
        methods.handlers().stream().map(TaskMethod::name).collect(Collectors.toUnmodifiableSet()));
    storeSchedules();
    List<KairosMode.Registration> handlers =
        methods.handlers().stream().map(TaskMethod::registration).toList();
    if (properties.worker().enabled() && !handlers.isEmpty()) {
      performing = mode.perform(handlers);
    }
    running = true;
  }

  /**
   * The application starts also while no node answers, and asks again until one does. A schedule
   * that nodes refuse ends the start, if they answer in time.
   */
  private void storeSchedules() {
    try {
      schedules.reconcile();
    } catch (NodesUnavailableException e) {
      LOG.atWarn().setCause(e).log("schedules are stored when a node answers");
      Thread thread = new Thread(this::storeLater, "kairos-schedules");
      thread.setDaemon(true);
      thread.start();
      later = thread;
    }
  }

  private void storeLater() {
    try {
      boolean isStored = false;
      while (!isStored) {
        Thread.sleep(MILLIS_TO_NEXT);
        isStored = isStored();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the application stops
    } catch (RuntimeException e) { // nobody else would hear of it
      LOG.atError().setCause(e).log("schedules are not stored");
    }
  }

  private boolean isStored() {
    try {
      schedules.reconcile();
      return true;
    } catch (NodesUnavailableException e) {
      return false;
    }
  }

  @Override
  public void stop() {
    stop(() -> {});
  }

  @Override
  public void stop(Runnable callback) {
    KairosMode.Performing it;
    synchronized (this) {
      it = performing;
      performing = null;
      running = false;
      if (later != null) {
        later.interrupt();
        later = null;
      }
    }
    if (it == null) {
      callback.run();
      return;
    }
    Duration drainTime = properties.worker().drainTime();
    CompletableFuture<?> unused =
        it.drain(drainTime)
            .whenComplete((all, failure) -> {
              if (!Boolean.TRUE.equals(all)) {
                LOG.atWarn().setCause(failure).log("a handler goes on after the drain time");
              }
              callback.run();
            });
  }

  @Override
  public synchronized boolean isRunning() {
    return running;
  }
}
