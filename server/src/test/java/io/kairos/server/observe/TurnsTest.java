package io.kairos.server.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.engine.loop.Next;
import io.kairos.engine.loop.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class TurnsTest {
  private long nanos = 7;
  private final Turns turns = new Turns(Duration.ofMinutes(1), () -> nanos);

  private static Step step(String name, Supplier<Next> round) {
    return new Step() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public Next runOnce() {
        return round.get();
      }
    };
  }

  private Next waiting(Duration duration, List<String> seen) {
    nanos += duration.toNanos();
    seen.addAll(turns.ailments());
    return Next.AT_ONCE;
  }

  @Test
  void a_round_of_more_than_a_minute_hangs_until_it_ends() {
    List<String> seen = new ArrayList<>();
    Step slow = turns.watch(step("slow", () -> waiting(Duration.ofSeconds(61), seen)));
    Step quick = turns.watch(step("quick", () -> waiting(Duration.ofSeconds(60), seen)));

    quick.runOnce();
    assertThat(seen).isEmpty();
    slow.runOnce();
    assertThat(seen).containsExactly("the slow loop has been in one round for more than 60 s");
    assertThat(turns.ailments()).isEmpty();
  }

  @Test
  void a_round_that_fails_has_ended() {
    Step failing =
        turns.watch(
            step(
                "failing",
                () -> {
                  throw new StackOverflowError("injected");
                }));

    assertThatThrownBy(failing::runOnce).isInstanceOf(StackOverflowError.class);
    nanos += Duration.ofHours(1).toNanos();
    assertThat(turns.ailments()).isEmpty();
  }
}
