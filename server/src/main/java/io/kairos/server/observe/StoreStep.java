package io.kairos.server.observe;

import io.kairos.engine.loop.Next;
import io.kairos.engine.loop.Step;
import java.time.Duration;

/**
 * Asks the store every few seconds how much it holds; it may be away, and then this fails alone.
 */
final class StoreStep implements Step {
  private static final Duration EVERY = Duration.ofSeconds(5);

  private final StoreView store;

  StoreStep(StoreView store) {
    this.store = store;
  }

  @Override
  public String name() {
    return "observe-store";
  }

  @Override
  public Next runOnce() {
    store.ask();
    return Next.after(EVERY);
  }
}
