package io.kairos.model.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.engine.audit.AuditConfig;
import io.kairos.engine.audit.AuditEvents;
import io.kairos.engine.audit.AuditRecord;
import io.kairos.engine.audit.AuditSearch;
import io.kairos.engine.audit.AuditTrail;
import io.kairos.engine.audit.AuditedCall;
import io.kairos.engine.audit.FinishedCalls;
import io.kairos.engine.loop.NextRound;
import io.kairos.engine.loop.Wakeup;
import io.kairos.engine.node.StoreUnavailable;
import io.kairos.engine.task.edge.AnswerCallback;
import io.kairos.engine.task.edge.NodeStopping;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AuditTrailTest {
  private static final AuditedCall PAUSE = call("ana", "10.0.0.1");

  private Instant now = Instant.parse("2026-03-01T12:00:00Z");
  private boolean isAway;
  private final ModelAuditStore store =
      new ModelAuditStore(() -> now) {
        @Override
        public synchronized List<Long> write(List<NewEntry> begun, List<EndedCall> ended) {
          if (isAway) {
            throw new StoreUnavailable("for the test");
          }
          return super.write(begun, ended);
        }

        @Override
        public synchronized int prune(Duration age, int most) {
          if (isAway) {
            throw new StoreUnavailable("for the test");
          }
          return super.prune(age, most);
        }
      };
  private final List<String> told = new ArrayList<>();
  private int lost;
  private OptionalInt undecided = OptionalInt.empty();
  private final AuditEvents events =
      new AuditEvents() {
        @Override
        public void recorded(AuditedCall call, String outcome, long more) {
          told.add(call.caller() + " " + outcome + " " + more);
        }

        @Override
        public void lost(int entries) {
          lost += entries;
        }

        @Override
        public void undecided(OptionalInt entries) {
          undecided = entries;
        }
      };
  private final AuditTrail trail =
      new AuditTrail(
          new AuditConfig(Duration.ofDays(90)),
          new AuditTrail.Ports(
              store, () -> now.toEpochMilli() * 1_000_000, AuditTrailTest::unheard, events));

  private static AuditedCall call(@Nullable String caller, String address) {
    return new AuditedCall(caller, address, "SetPause", "handler", "billing", "");
  }

  private static Wakeup unheard() {
    return new Wakeup() {
      @Override
      public void signal() {}

      @Override
      public void await(Duration atMost) {}
    };
  }

  /** The answers to calls that began: numbers of entries, or failures. */
  private final List<Object> answers = new ArrayList<>();

  private boolean begin(AuditedCall call) {
    return trail.begin(call, AnswerCallback.of(answers::add, answers::add));
  }

  private NextRound round() {
    return trail.activities().getFirst().step().runOnce();
  }

  private List<AuditRecord> entries() {
    return trail.list(AuditSearch.latest(2_000));
  }

  private List<String> outcomes() {
    return entries().stream().map(AuditRecord::outcome).toList();
  }

  @Test
  void a_call_is_answered_when_its_entry_is_in_the_store_and_its_outcome_follows() {
    begin(PAUSE);
    assertThat(answers).isEmpty();

    assertThat(round().after()).isZero();
    assertThat(answers).hasSize(1);
    assertThat(outcomes()).containsExactly(AuditRecord.BEGUN);
    assertThat(told).isEmpty();

    trail.end((Long) answers.getFirst(), PAUSE, "OK");
    round();
    assertThat(outcomes()).containsExactly("OK");
    assertThat(told).containsExactly("ana OK 0");
    assertThat(round().after()).isPositive();
  }

  @Test
  void calls_that_come_together_share_a_write() {
    for (int i = 0; i < 100; i++) {
      begin(PAUSE);
    }

    round();

    assertThat(answers).hasSize(100).doesNotHaveDuplicates();
    assertThat(entries()).hasSize(100);
  }

  @Test
  void a_call_whose_entry_cannot_be_written_fails_and_outcomes_wait_for_the_store() {
    begin(PAUSE);
    round();
    trail.end((Long) answers.getFirst(), PAUSE, "OK");
    trail.refused(PAUSE, "PERMISSION_DENIED");
    begin(PAUSE);
    isAway = true;

    assertThatThrownBy(this::round).isInstanceOf(StoreUnavailable.class);
    assertThat(answers.get(1)).isInstanceOf(StoreUnavailable.class);
    assertThat(outcomes()).containsExactly(AuditRecord.BEGUN);

    isAway = false;
    round();
    assertThat(outcomes()).containsExactly("PERMISSION_DENIED", "OK");
  }

  /** Such as that of a connection whose thread has ended. */
  @Test
  void an_answer_that_throws_keeps_no_other_call_waiting() {
    AnswerCallback<Long> broken =
        AnswerCallback.of(
            _ -> {
              throw new IllegalStateException("answered");
            },
            _ -> {
              throw new IllegalStateException("failed");
            });
    trail.begin(PAUSE, broken);
    begin(PAUSE);

    assertThatThrownBy(this::round).hasMessage("answered");
    assertThat(answers).hasSize(1).first().isInstanceOf(Long.class);

    isAway = true;
    trail.begin(PAUSE, broken);
    begin(PAUSE);

    assertThatThrownBy(this::round)
        .isInstanceOf(StoreUnavailable.class)
        .hasSuppressedException(new IllegalStateException("failed"));
    assertThat(answers).hasSize(2).last().isInstanceOf(StoreUnavailable.class);
  }

  @Test
  void refusals_of_the_time_before_there_was_a_store_are_written_when_there_is_one() {
    FinishedCalls early = new FinishedCalls(() -> now.toEpochMilli() * 1_000_000, events);
    for (int i = 0; i < 5_000; i++) {
      var _ = early.refused(call(null, "10.0.0.9"), "UNAUTHENTICATED");
    }
    assertThat(told).hasSize(10);

    AuditTrail later =
        new AuditTrail(
            new AuditConfig(Duration.ofDays(90)),
            new AuditTrail.Ports(store, AuditTrailTest::unheard, early));
    now = now.plusSeconds(60);
    later.activities().getFirst().step().runOnce();

    assertThat(entries()).hasSize(11);
    assertThat(entries().getFirst().more()).isEqualTo(4_990);
    assertThat(lost).isZero();
  }

  @Test
  void a_change_that_is_recorded_after_it_was_made_has_its_outcome_at_once() {
    trail.changed(PAUSE, "OK");
    assertThat(told).containsExactly("ana OK 0");

    round();

    assertThat(outcomes()).containsExactly("OK");
  }

  @Test
  void a_flood_of_changes_becomes_a_hundred_entries_and_their_number_and_takes_no_room_of_others() {
    for (int i = 0; i < 5_000; i++) {
      trail.changed(call("worker", "10.0.0.1"), "OK");
    }
    trail.changed(PAUSE, "OK");
    trail.refused(call("worker", "10.0.0.1"), "PERMISSION_DENIED");
    round();
    assertThat(entries()).hasSize(102);

    now = now.plusSeconds(60);
    round();

    assertThat(entries()).hasSize(103);
    assertThat(entries().getFirst().more()).isEqualTo(4_900);
    assertThat(entries().getFirst().outcome()).isEqualTo("OK");
    assertThat(entries().getFirst().call().caller()).isEqualTo("worker");
    assertThat(lost).isZero();
  }

  @Test
  void changes_that_wait_while_the_store_is_away_take_no_place_of_a_refusal() {
    isAway = true;
    for (int minute = 0; minute < 20; minute++) {
      for (int i = 0; i < 200; i++) {
        trail.changed(call("worker", "10.0.0.1"), "OK");
      }
      now = now.plusSeconds(60);
      assertThatThrownBy(this::round).isInstanceOf(StoreUnavailable.class);
    }
    assertThat(lost).as("of 20 times 100 and one for the rest").isEqualTo(1_020);

    trail.refused(PAUSE, "PERMISSION_DENIED");

    assertThat(lost).isEqualTo(1_020);
    isAway = false;
    round();
    round();
    round();
    assertThat(outcomes()).hasSize(1_001).contains("PERMISSION_DENIED");
  }

  @Test
  void calls_whose_end_is_not_known_are_counted() {
    begin(PAUSE);
    begin(PAUSE);
    round();
    trail.end((Long) answers.getFirst(), PAUSE, "OK");
    round();
    prune();
    assertThat(undecided).hasValue(0);

    now = now.plusSeconds(121);
    prune();
    assertThat(undecided).hasValue(1);

    isAway = true;
    assertThatThrownBy(this::prune).isInstanceOf(StoreUnavailable.class);
    assertThat(undecided).as("nobody knows").isEmpty();

    isAway = false;
    now = now.plusSeconds(3_600);
    prune();
    assertThat(undecided).hasValue(0);
  }

  private void prune() {
    trail.activities().getLast().step().runOnce();
  }

  @Test
  void too_many_waiting_calls_are_refused_and_outcomes_that_find_no_room_are_told() {
    int taken = 0;
    while (begin(PAUSE)) {
      taken++;
    }
    assertThat(taken).isEqualTo(1_000);

    isAway = true;
    for (int i = 0; i < 1_005; i++) {
      trail.end(i, PAUSE, "OK");
    }
    assertThat(lost).isEqualTo(5);
  }

  @Test
  void a_flood_of_refusals_becomes_ten_entries_and_their_number() {
    for (int i = 0; i < 4_822; i++) {
      trail.refused(call(null, "10.0.0.9"), "UNAUTHENTICATED");
    }
    round();
    assertThat(entries()).hasSize(10).allMatch(entry -> entry.more() == 0);

    now = now.plusSeconds(60);
    round();

    AuditRecord rest = entries().getFirst();
    assertThat(rest.more()).isEqualTo(4_812);
    assertThat(rest.outcome()).isEqualTo("UNAUTHENTICATED");
    assertThat(rest.call()).isEqualTo(new AuditedCall(null, "10.0.0.9", "", "", "", ""));
    assertThat(told).hasSize(11).last().isEqualTo("null UNAUTHENTICATED 4812");

    now = now.plusSeconds(60);
    round();
    assertThat(entries()).hasSize(11);
    trail.refused(call(null, "10.0.0.9"), "UNAUTHENTICATED");
    round();
    assertThat(entries()).hasSize(12);
  }

  @Test
  void many_addresses_together_have_a_bound_of_their_own_beside_that_of_known_callers() {
    for (int i = 0; i < 5_000; i++) {
      trail.refused(call(null, "10.0." + i / 250 + "." + i % 250), "UNAUTHENTICATED");
    }
    trail.refused(PAUSE, "PERMISSION_DENIED");
    round();
    assertThat(entries()).hasSize(61);
    assertThat(outcomes().getFirst()).isEqualTo("PERMISSION_DENIED");

    now = now.plusSeconds(60);
    round();

    assertThat(entries()).hasSize(62);
    assertThat(entries().getFirst().more()).isEqualTo(4_940);
    assertThat(entries().getFirst().call().address()).isEmpty();
  }

  @Test
  void a_known_caller_from_many_addresses_has_the_bound_of_one() {
    for (int i = 0; i < 30; i++) {
      trail.refused(call("ana", "10.0.0." + i), "PERMISSION_DENIED");
    }
    now = now.plusSeconds(60);
    round();

    assertThat(entries()).hasSize(11);
    assertThat(entries().getFirst().more()).isEqualTo(20);
    assertThat(entries().getFirst().call()).isEqualTo(new AuditedCall("ana", "", "", "", "", ""));
  }

  @Test
  void at_the_end_calls_are_refused_and_what_is_left_is_written() {
    begin(PAUSE);
    round();
    trail.end((Long) answers.getFirst(), PAUSE, "OK");
    for (int i = 0; i < 12; i++) {
      trail.refused(PAUSE, "PERMISSION_DENIED");
    }
    trail.close();
    begin(PAUSE);

    assertThat(answers.get(1)).isInstanceOf(NodeStopping.class);
    trail.finish();
    assertThat(outcomes()).contains("OK").doesNotContain(AuditRecord.BEGUN).hasSize(12);
    assertThat(entries().getFirst().more()).isEqualTo(2);
  }

  @Test
  void old_entries_are_pruned() {
    begin(PAUSE);
    round();
    now = now.plus(Duration.ofDays(91));
    begin(PAUSE);
    round();

    prune();

    assertThat(entries()).hasSize(1);
  }
}
