package io.kairos.server.observe;

import io.kairos.engine.loop.NextRound;
import io.kairos.engine.loop.Step;
import java.time.Duration;

/** A step that runs an action every five seconds. */
record RegularStep(String name, Runnable round) implements Step {
  private static final Duration EVERY = Duration.ofSeconds(5);

  @Override
  public NextRound runOnce() {
    round.run();
    return NextRound.after(EVERY);
  }
}
