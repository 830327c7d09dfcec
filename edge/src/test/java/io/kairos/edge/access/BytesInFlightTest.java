package io.kairos.edge.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BytesInFlightTest {
  private static final long MOST = 96L << 20;

  /** With what a call has besides its body, an eighth of what large calls may have. */
  private static final long LARGE = (8L << 20) - (4 << 10);

  private final BytesInFlight bytes = new BytesInFlight(MOST);

  @Test
  void one_caller_has_half_of_what_large_calls_may_have() {
    assertThat(countOfLargeCalls("one")).isEqualTo(4);
    assertThat(countOfLargeCalls("other")).isEqualTo(4);
    assertThat(countOfLargeCalls("third")).isZero();
  }

  private int countOfLargeCalls(String caller) {
    int count = 0;
    while (begun(caller).takeBody(LARGE)) {
      count++;
    }
    return count;
  }

  @Test
  void small_calls_go_on_while_large_ones_have_used_up_their_part() {
    countOfLargeCalls("one");
    countOfLargeCalls("other");

    assertThat(begun("one").takeBody(1_000)).isTrue();
    assertThat(begun("third").takeBody(1_000)).isTrue();
  }

  @Test
  void bodies_that_become_large_leave_the_part_of_small_ones_alone() {
    for (int i = 0; i < 400; i++) {
      BytesInFlight.Call call = begun("one");
      assertThat(call.takeBody(64 << 10)).isTrue();
      assertThat(call.takeBody(1)).isTrue();
    }
  }

  @Test
  void a_caller_that_does_not_read_its_answers_gets_no_more_of_them() {
    BytesInFlight.Call poll = begun("one");
    poll.answered(MOST / 2);

    assertThat(bytes.new Call("one").begin()).isFalse();
    assertThat(bytes.new Call("other").begin()).isTrue();
    poll.close();
    assertThat(bytes.new Call("one").begin()).isTrue();
  }

  @Test
  void answers_that_are_still_to_be_made_have_their_bound_as_well() {
    BytesInFlight.Call poll = begun("one");
    BytesInFlight.Call another = begun("one");
    BytesInFlight.Call foreign = begun("other");
    long most = BytesInFlight.mostOfOne(MOST);

    assertThat(poll.takeAnswer(most - 10)).isTrue();
    assertThat(another.takeAnswer(11)).isFalse();
    assertThat(another.takeAnswer(10)).isTrue();
    assertThat(foreign.takeAnswer(11)).isTrue();
    poll.answered(most - 10); // takes no more than was taken for it
    another.close();
    assertThat(poll.takeAnswer(most)).isTrue();
  }

  @Test
  void room_for_tasks_that_were_not_claimed_is_there_at_once_for_other_answers() {
    BytesInFlight.Call poll = begun("one");
    BytesInFlight.Call another = begun("one");
    long most = BytesInFlight.mostOfOne(MOST);
    long before = bytes.used();
    poll.takeAnswer(most);
    assertThat(another.takeAnswer(most - 10)).isFalse();

    assertThat(poll.takeAnswer(10)).isTrue();
    assertThat(another.takeAnswer(most - 10)).isTrue();
    another.answered(most - 20);
    another.takeAnswer(0); // what is answered already stays
    poll.takeAnswer(0);

    assertThat(bytes.used() - before).isEqualTo(most - 20);
  }

  /** A task that was stored by a node with more memory keeps none behind it waiting for ever. */
  @Test
  void an_answer_larger_than_all_goes_out_alone() {
    BytesInFlight.Call poll = begun("a");

    assertThat(poll.takeAnswer(2 * MOST)).isTrue();
    assertThat(begun("b").takeAnswer(1)).isFalse();
    poll.close();
    assertThat(begun("b").takeAnswer(1)).isTrue();
  }

  @Test
  void all_bytes_are_given_back_once() {
    List<BytesInFlight.Call> calls = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      BytesInFlight.Call call = begun("caller " + i);
      call.takeBody(1_000L * i);
      call.takeAnswer(200L * i);
      call.answered(500L * i);
      calls.add(call);
    }
    calls.forEach(BytesInFlight.Call::close);
    calls.forEach(BytesInFlight.Call::close);

    assertThat(bytes.used()).isZero();
  }

  private BytesInFlight.Call begun(String caller) {
    BytesInFlight.Call call = bytes.new Call(caller);
    assertThat(call.begin()).isTrue();
    return call;
  }
}
