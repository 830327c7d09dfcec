package io.kairos.engine.cron.entry;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.cron.AgreedTime;

/**
 * A past fire of an entry.
 *
 * @param sequence of the tick
 * @param position of the entry
 * @param at the fire time: the due time where the entry knows it ahead, else the tick's time; off
 *     where the tick had none
 */
public record EntryFire(long sequence, int position, AgreedTime at) {
  public EntryFire {
    requireNonNull(at, "at");
  }
}
