package io.kairos.engine.cron.entry;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.cron.AgreedTime;

/**
 * A fire that was.
 *
 * @param sequence of the tick
 * @param position of the entry
 * @param at the fire time: the one that was due, for entries that know theirs ahead, else the
 *     tick's; off where the tick had none
 */
public record EntryFire(long sequence, int position, AgreedTime at) {
  public EntryFire {
    requireNonNull(at, "at");
  }
}
