package io.kairos.client;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A stored schedule and how it does.
 *
 * @param spec with nothing left out; in lists, and when it is paused or resumed, without the
 *     payload
 * @param note why it is paused
 * @param since when it came into its state
 * @param description its rule in English
 * @param nextFireTime the next that will be decided; null when it is paused or has ended
 * @param nextFires at most ten; empty in lists
 * @param lastFires the latest decisions, at most ten, newest first; empty in lists
 * @param remainingRuns fires that are left of its maximum; null without one
 * @param generation grows with each change of the definition
 * @param uid its identity: one that is deleted and created anew has another
 */
public record ScheduleStatus(
    ScheduleSpec spec,
    State state,
    String note,
    Instant since,
    String description,
    @Nullable Instant nextFireTime,
    List<PlannedFire> nextFires,
    List<Fire> lastFires,
    @Nullable Long remainingRuns,
    Instant createdAt,
    long generation,
    String uid) {
  public ScheduleStatus {
    nextFires = List.copyOf(nextFires);
    lastFires = List.copyOf(lastFires);
  }

  public String name() {
    return spec.name();
  }

  /** Where it is in its life. */
  public enum State {
    ACTIVE,
    /** It does not fire until it is resumed. */
    PAUSED,
    /** No fire time is left. */
    ENDED,
    /** One that this version of the client does not know. */
    OTHER
  }
}
