package io.kairos.client.worker;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls the user's listener, and logs the exceptions that it throws. */
record QuietListener(WorkerListener user) implements WorkerListener {
  private static final Logger LOG = LoggerFactory.getLogger(WorkerListener.class);

  @Override
  public void claimed(int tasks) {
    quietly(() -> user.claimed(tasks));
  }

  @Override
  public void started(String handler, Duration lateness) {
    quietly(() -> user.started(handler, lateness));
  }

  @Override
  public void ended(String handler, AttemptEnding ending, Duration took) {
    quietly(() -> user.ended(handler, ending, took));
  }

  @Override
  public void lost(String handler, String why) {
    quietly(() -> user.lost(handler, why));
  }

  @Override
  public void abandoned(String handler) {
    quietly(() -> user.abandoned(handler));
  }

  @Override
  public void returned(String handler) {
    quietly(() -> user.returned(handler));
  }

  @Override
  public void heartbeat(int tasks, boolean acknowledged) {
    quietly(() -> user.heartbeat(tasks, acknowledged));
  }

  @Override
  public void resultRefused(String reason) {
    quietly(() -> user.resultRefused(reason));
  }

  private static void quietly(Runnable call) {
    try {
      call.run();
    } catch (RuntimeException e) {
      LOG.atWarn().setCause(e).log("the worker's listener failed");
    }
  }
}
