package io.kairos.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.embedded.EmbeddedStartException.Problem;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** An engine that must refuse to start. */
final class StartRefusal {
  private StartRefusal() {}

  static AbstractThrowableAssert<?, ? extends Throwable> of(
      Problem problem, ThrowingCallable start) {
    return assertThatThrownBy(start)
        .isInstanceOfSatisfying(
            EmbeddedStartException.class, e -> assertThat(e.problem()).isEqualTo(problem));
  }
}
