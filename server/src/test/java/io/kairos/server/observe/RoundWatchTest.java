package io.kairos.server.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.domain.cron.AgreedTime;
import io.kairos.engine.loop.NextRound;
import io.kairos.engine.loop.Step;
import io.kairos.engine.replica.ClientId;
import io.kairos.engine.replica.OrderedRequest;
import io.kairos.engine.replica.RequestOrigin;
import io.kairos.engine.replica.StateMachine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RoundWatchTest {
  private long nanos = 7;
  private final RoundWatch turns = new RoundWatch(Duration.ofMinutes(1), () -> nanos);

  private NextRound waiting(Duration duration, List<String> seen) {
    nanos += duration.toNanos();
    seen.addAll(turns.ailments());
    return NextRound.AT_ONCE;
  }

  @Test
  void a_round_of_more_than_a_minute_hangs_until_it_ends() {
    List<String> seen = new ArrayList<>();
    Step slow = turns.watch(Step.of("slow", () -> waiting(Duration.ofSeconds(61), seen)));
    Step quick = turns.watch(Step.of("quick", () -> waiting(Duration.ofSeconds(60), seen)));

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
            Step.of(
                "failing",
                () -> {
                  throw new StackOverflowError("injected");
                }));

    assertThatThrownBy(failing::runOnce).isInstanceOf(StackOverflowError.class);
    nanos += Duration.ofHours(1).toNanos();
    assertThat(turns.ailments()).isEmpty();
  }

  @Test
  void a_request_that_does_not_end_is_an_ailment() {
    List<String> seen = new ArrayList<>();
    StateMachine machine =
        turns.watch(
            new StateMachine() {
              @Override
              public byte[] execute(OrderedRequest request) {
                waiting(Duration.ofSeconds(61), seen);
                return request.command();
              }

              @Override
              public byte[] snapshot() {
                return new byte[] {1};
              }

              @Override
              public void restore(byte[] snapshot) {
                waiting(Duration.ofSeconds(snapshot[0]), seen);
              }

              @Override
              public byte[] digest() {
                return new byte[] {2};
              }
            });

    assertThat(
            machine.execute(
                new OrderedRequest(
                    1,
                    new RequestOrigin(new ClientId(1), 1, null),
                    AgreedTime.OFF,
                    new byte[] {3})))
        .containsExactly(3);
    assertThat(machine.snapshot()).containsExactly(1);
    assertThat(machine.digest()).containsExactly(2);
    assertThat(seen).containsExactly("the log has been in one round for more than 60 s");
    machine.restore(new byte[] {62});
    assertThat(seen).hasSize(2);
    assertThat(turns.ailments()).isEmpty();
  }
}
