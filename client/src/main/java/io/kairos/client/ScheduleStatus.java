package io.kairos.client;

import io.kairos.client.schedule.Fire;
import io.kairos.client.schedule.PlannedFire;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A stored schedule and its state.
 *
 * @param spec the definition with all fields set; without the payload in lists and in the answers
 *     to pause and resume
 * @param note reason of the pause; empty when the schedule is not paused
 * @param since when the schedule entered its state
 * @param description the rule in English
 * @param nextFireTime the next fire time that will be decided; null when the schedule is paused or
 *     has ended
 * @param nextFires the next fire times, at most ten; empty in lists
 * @param lastFires the latest decisions, at most ten, newest first; empty in lists
 * @param remainingRuns number of fires left of {@code maxRuns}; null without a maximum
 * @param generation grows with each change of the definition
 * @param uid unique id; a schedule that is deleted and created again gets another
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

  /** State of a schedule. */
  public enum State {
    ACTIVE,
    /** The schedule does not fire until it is resumed. */
    PAUSED,
    /** No fire time is left. */
    ENDED,
    /** A state that this version of the client does not know. */
    OTHER
  }
}
