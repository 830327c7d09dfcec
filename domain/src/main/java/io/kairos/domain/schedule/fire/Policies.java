package io.kairos.domain.schedule.fire;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a schedule fires.
 *
 * @param deadline how long after its due time, or after it was made when that is later, a run may
 *     still begin; null for ever
 * @param pauseOnFailure the schedule pauses itself when a run has failed for good
 * @param decider who says that its time has come
 */
public record Policies(
    OverlapPolicy overlap,
    CatchUp catchUp,
    @Nullable Duration deadline,
    boolean pauseOnFailure,
    DecidedBy decider) {
  public static final Policies DEFAULT =
      new Policies(OverlapPolicy.SKIP, CatchUp.DEFAULT, null, false, DecidedBy.NODE);

  /** Throws {@link IllegalArgumentException} that names what is out of range. */
  public Policies {
    if (deadline != null && !deadline.isPositive()) {
      throw new IllegalArgumentException("deadline must be positive");
    }
  }

  public Policies with(OverlapPolicy other) {
    return new Policies(other, catchUp, deadline, pauseOnFailure, decider);
  }

  public Policies with(CatchUp other) {
    return new Policies(overlap, other, deadline, pauseOnFailure, decider);
  }

  public Policies with(DecidedBy other) {
    return new Policies(overlap, catchUp, deadline, pauseOnFailure, other);
  }
}
