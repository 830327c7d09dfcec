package io.kairos.consensus;

import io.kairos.engine.loop.Next;
import io.kairos.engine.loop.Step;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/** Wakes up for requests that have to be put to a leader again, or given up. */
final class ResendStep implements Step {
  static final Duration EVERY = Duration.ofMillis(50);

  private final RatisLog log;
  private final Runnable again;
  private final AtomicBoolean asked = new AtomicBoolean();

  ResendStep(RatisLog log, Runnable again) {
    this.log = log;
    this.again = again;
  }

  @Override
  public String name() {
    return "resend";
  }

  @Override
  public Next runOnce() {
    if (asked.compareAndSet(false, true)) {
      log.post(() -> {
        asked.set(false);
        again.run();
      });
    }
    return Next.after(EVERY);
  }
}
