package io.kairos.domain.schedule.fire;

import io.kairos.domain.schedule.Bounds;
import io.kairos.domain.schedule.Spread;
import io.kairos.domain.schedule.TimeRule;
import java.time.Instant;

/**
 * What somebody wants of a schedule.
 *
 * @param bounds between which it fires, and how often; where a fixed rate begins
 * @param spread how far behind its fire times its runs are due
 */
public record Definition(
    Rule rule, Bounds bounds, Spread spread, Target target, Policies policies) {
  /** Throws {@link IllegalArgumentException} whose first word is the field that does not fit. */
  public Definition {
    if (target instanceof Target.Topic) {
      require(
          policies.overlap() == OverlapPolicy.ALLOW_ALL,
          "policies.overlap must be ALLOW_ALL for a topic: a message has no end to wait for");
      require(
          rule.kind() != Rule.Kind.DELAY,
          "delay_after needs runs that end, and a message on a topic has no end");
      require(
          !policies.pauseOnFailure(),
          "policies.pause_on_failure needs runs that end, and a message on a topic has no end");
    }
    if (target instanceof Target.Handler handler && handler.details().key() != null) {
      require(
          !policies.overlap().inTurn(),
          "policies.overlap "
              + policies.overlap()
              + " brings an ordering key of its own: leave out the target's");
    }
  }

  private static void require(boolean holds, String rule) {
    if (!holds) {
      throw new IllegalArgumentException(rule);
    }
  }

  /**
   * Its rule as it is to be read for a schedule.
   *
   * @throws io.kairos.domain.schedule.text.RefusedExpressionException that points at the place
   * @throws java.time.DateTimeException for an unknown zone, duration or instant
   */
  public TimeRule timeRule(ScheduleName name, Instant createdAt) {
    Instant start = bounds.start();
    return rule.read(name.value(), start == null ? createdAt : start, bounds, spread);
  }
}
