package io.kairos.domain.schedule.definition;

import static io.kairos.domain.check.ArgumentCheck.require;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The policies by which a schedule fires.
 *
 * @param deadline the time after its due time, or after its creation when that is later, in which a
 *     run may begin; null for ever
 * @param pauseOnFailure true if the schedule pauses itself when a run has failed for good
 * @param decider decides that its time has come
 */
public record FirePolicies(
    OverlapPolicy overlap,
    CatchUpPolicy catchUp,
    @Nullable Duration deadline,
    boolean pauseOnFailure,
    ScheduleDecider decider) {
  public static final FirePolicies DEFAULT =
      new FirePolicies(
          OverlapPolicy.SKIP, CatchUpPolicy.DEFAULT, null, false, ScheduleDecider.NODE);

  /** Throws {@link IllegalArgumentException} that names what is out of range. */
  public FirePolicies {
    require(deadline == null || deadline.isPositive(), "deadline must be positive");
  }

  public FirePolicies with(OverlapPolicy other) {
    return new FirePolicies(other, catchUp, deadline, pauseOnFailure, decider);
  }

  public FirePolicies with(CatchUpPolicy other) {
    return new FirePolicies(overlap, other, deadline, pauseOnFailure, decider);
  }

  public FirePolicies with(ScheduleDecider other) {
    return new FirePolicies(overlap, catchUp, deadline, pauseOnFailure, other);
  }
}
