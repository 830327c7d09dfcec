package io.kairos.client;

import io.kairos.api.text.ProtoTime;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A fire of an entry of a replicated cron.
 *
 * @param sequence number of the tick in the log
 * @param position position of the entry
 * @param fireTime time at which the entry was due, or that of the tick for a rule without times;
 *     null where agreed time is off
 */
public record CronFire(long sequence, int position, @Nullable Instant fireTime) {
  static CronFire of(io.kairos.api.v1.CronFire wire) {
    return new CronFire(
        wire.getSequence(),
        wire.getPosition(),
        wire.hasFireTime() ? ProtoTime.of(wire.getFireTime()) : null);
  }
}
