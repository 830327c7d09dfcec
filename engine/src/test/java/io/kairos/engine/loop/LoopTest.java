package io.kairos.engine.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class LoopTest {
  private static final NextRound STOP = NextRound.after(Duration.ofDays(1));

  private final List<Duration> waits = new ArrayList<>();
  private final List<Throwable> fatal = new ArrayList<>();

  @Test // PD-33
  void trouble_outside_is_tried_again_after_a_growing_bounded_pause() {
    int[] rounds = {0};
    Loop loop =
        loop(() -> {
          if (rounds[0]++ < 9) {
            throw new UnsupportedOperationException("away");
          }
          return STOP;
        });

    loop.run();

    assertThat(waits)
        .hasSize(9)
        .startsWith(Duration.ofMillis(50), Duration.ofMillis(100), Duration.ofMillis(200));
    assertThat(waits.getLast()).isEqualTo(Duration.ofSeconds(1));
    assertThat(fatal).isEmpty();
  }

  @Test
  void a_broken_invariant_stops_the_node() {
    IllegalStateException broken = new IllegalStateException("two holders");
    loop(
            () -> {
              throw broken;
            })
        .run();

    assertThat(fatal).containsExactly(broken);
  }

  @Test
  void an_interruption_of_a_loop_that_was_not_stopped_stops_the_node() {
    loop(
            () -> {
              Thread.currentThread().interrupt();
              return NextRound.AT_ONCE;
            })
        .run();

    assertThat(Thread.interrupted()).isTrue();
    assertThat(fatal).singleElement().asString().contains("interrupted");
  }

  @Test
  void an_interruption_of_a_loop_that_was_stopped_ends_it() {
    loop(
            () -> {
              Thread.currentThread().interrupt();
              return STOP;
            })
        .run();

    assertThat(Thread.interrupted()).isTrue();
    assertThat(fatal).isEmpty();
  }

  @Test
  void an_error_is_not_caught_and_the_node_hears_of_it() {
    Loop loop =
        loop(() -> {
          throw new StackOverflowError();
        });

    assertThatThrownBy(loop::run).isInstanceOf(StackOverflowError.class);
    assertThat(fatal).hasSize(1);
  }

  /** The supplier returns STOP to end the loop. */
  private Loop loop(Supplier<NextRound> round) {
    Loop[] loop = new Loop[1];
    Wakeup wakeup =
        new Wakeup() {
          @Override
          public void signal() {}

          @Override
          public void await(Duration atMost) {
            waits.add(atMost);
          }
        };
    Step step =
        Step.of(
            "test",
            () -> {
              NextRound next = round.get();
              if (next.equals(STOP)) {
                loop[0].stop();
                return NextRound.AT_ONCE;
              }
              return next;
            });
    loop[0] = new Loop(StepActivity.serving(step, wakeup), () -> 0, fatal::add);
    return loop[0];
  }
}
