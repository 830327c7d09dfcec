package io.kairos.engine.delay;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.delay.Amendment;
import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.delay.InputRecord;
import io.kairos.domain.delay.InputSubmission;
import io.kairos.domain.delay.MessageId;
import io.kairos.domain.delay.RecordRejection;
import io.kairos.domain.delay.RouteId;
import io.kairos.engine.delay.IntakePlan.Entry;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class IntakePlanTest {
  @Test
  void a_batch_without_conflicts_is_taken_whole() {
    IntakePlan plan =
        IntakePlan.of(
            List.of(delay(0, 5, "a"), delay(0, 6, "a"), cancel(1, 3, "a"), rejected(1, 4)));

    assertThat(plan.entries()).hasSize(4);
    assertThat(plan.readAgainFrom()).isEmpty();
    assertThat(plan.nextOffsets()).isEqualTo(Map.of(0, 7L, 1, 5L));
  }

  @Test
  void a_message_after_an_amendment_of_its_id_is_read_again_with_all_that_follows() {
    IntakePlan plan =
        IntakePlan.of(
            List.of(delay(0, 5, "a"), cancel(0, 6, "a"), delay(0, 7, "a"), delay(1, 3, "b")));

    assertThat(plan.entries()).hasSize(2);
    assertThat(plan.readAgainFrom()).isEqualTo(Map.of(0, 7L, 1, 3L));
    assertThat(plan.nextOffsets()).isEqualTo(Map.of(0, 7L));
  }

  @Test
  void two_amendments_of_one_id_are_taken_one_after_the_other() {
    assertThat(IntakePlan.of(List.of(cancel(0, 5, "a"), cancel(0, 6, "a"))).entries()).hasSize(1);
  }

  @Test
  void a_stopped_partition_keeps_what_came_before_and_the_others_go_on() {
    IntakePlan plan =
        IntakePlan.of(List.of(delay(0, 5, "a"), rejected(0, 6), delay(0, 7, "c"), delay(1, 3, "b")))
            .without(Map.of(0, 6L));

    assertThat(plan.entries()).extracting(entry -> entry.input().offset()).containsExactly(5L, 3L);
    assertThat(plan.readAgainFrom()).isEmpty();
    assertThat(plan.nextOffsets()).isEqualTo(Map.of(0, 6L, 1, 4L));
  }

  private static Entry delay(int partition, long offset, String id) {
    DelayedMessage message =
        new DelayedMessage(new RouteId(1), new MessageId(id), 0, null, new byte[0], null, null);
    return new Entry(input(partition, offset), new InputSubmission.Delay(message));
  }

  private static Entry cancel(int partition, long offset, String id) {
    return new Entry(
        input(partition, offset),
        new InputSubmission.Amend(new MessageId(id), new Amendment.Cancel()));
  }

  private static Entry rejected(int partition, long offset) {
    return new Entry(
        input(partition, offset),
        new InputSubmission.Rejected(
            new RecordRejection(RecordRejection.Reason.MISSING_ID, "no id")));
  }

  private static InputRecord input(int partition, long offset) {
    return new InputRecord(partition, offset, 0, null, null, List.of());
  }
}
