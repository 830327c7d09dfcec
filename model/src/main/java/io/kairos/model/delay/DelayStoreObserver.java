package io.kairos.model.delay;

import io.kairos.domain.delay.AmendmentOutcome;
import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.delay.Fence;
import io.kairos.domain.delay.RouteId;
import io.kairos.engine.delay.port.AmendRequest;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Observes every change of a {@link ModelDelayStore}, row by row, whichever call made it. Checkers
 * judge by it. Called within the change; must not call the store.
 */
public interface DelayStoreObserver {
  DelayStoreObserver NONE = new DelayStoreObserver() {};

  default void inserted(DelayedMessage message, @Nullable Fence holder) {}

  default void removed(DelayedMessage message, @Nullable Fence holder) {}

  /** The row went from one pair, or nobody, to another. */
  default void changedHands(
      DelayedMessage message, @Nullable Fence before, @Nullable Fence after) {}

  default void rescheduled(
      DelayedMessage before, DelayedMessage after, @Nullable Fence holderBefore) {}

  default void positioned(RouteId route, int partition, OptionalLong before, long after) {}

  /** An amendment was noted without a decision. */
  default void undecided(long number, AmendRequest request) {}

  /** An amendment was decided, in the call that brought it or later. */
  default void decided(long number, AmendRequest request, AmendmentOutcome outcome) {}
}
