package io.kairos.engine.cron.entry;

import java.time.Instant;

/** When an entry fires next, as far as that is known. */
public sealed interface NextFire {
  /** At the next tick. */
  record NextTick() implements NextFire {}

  /** At the first tick that is there or behind it. */
  record AtSequence(long sequence) implements NextFire {}

  /** At the first tick with that time or a later one. */
  record At(Instant instant) implements NextFire {}

  /** The next tick tells. */
  record NotKnown() implements NextFire {}
}
