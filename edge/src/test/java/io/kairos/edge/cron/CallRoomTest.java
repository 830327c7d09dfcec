package io.kairos.edge.cron;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.StatusRuntimeException;
import org.junit.jupiter.api.Test;

class CallRoomTest {
  private final CallRoom room = new CallRoom(4);

  @Test
  void a_caller_that_floods_meets_its_own_bound_and_leaves_room_for_another() {
    room.enter("flood");
    room.enter("flood");
    assertThatThrownBy(() -> room.enter("flood"))
        .isInstanceOf(StatusRuntimeException.class)
        .hasMessageContaining("RESOURCE_EXHAUSTED: 2 of your calls")
        .hasMessageContaining("wait for an answer");
    assertThatCode(() -> room.enter("operator")).doesNotThrowAnyException();

    room.leave("flood");

    assertThatCode(() -> room.enter("flood")).doesNotThrowAnyException();
  }

  @Test
  void all_callers_together_have_a_bound() {
    room.enter("a");
    room.enter("b");
    room.enter("c");
    room.enter("d");
    assertThatThrownBy(() -> room.enter("e")).hasMessageContaining("too much is waiting");

    room.leave("a");

    assertThatCode(() -> room.enter("e")).doesNotThrowAnyException();
  }
}
