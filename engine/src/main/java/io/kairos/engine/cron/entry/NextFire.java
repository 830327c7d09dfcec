package io.kairos.engine.cron.entry;

import java.time.Instant;

/** The next fire of an entry, as far as it is known. */
public sealed interface NextFire {
  /** At the next tick. */
  record NextTick() implements NextFire {}

  /** At the first tick with that sequence or a later one. */
  record AtSequence(long sequence) implements NextFire {}

  /** At the first tick with that time or a later one. */
  record At(Instant instant) implements NextFire {}

  /** Unknown before the next tick. */
  record NotKnown() implements NextFire {}
}
