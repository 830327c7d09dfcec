package io.kairos.domain.cron.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.domain.cron.AgreedTime;
import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.cron.CronEntry;
import io.kairos.domain.cron.CronListener;
import io.kairos.domain.cron.CronTable;
import io.kairos.domain.cron.CronTableRegistry;
import io.kairos.domain.cron.EntryFailure;
import io.kairos.domain.cron.Tick;
import io.kairos.domain.cron.outbox.Effect.Asking;
import io.kairos.domain.page.ReservedPages;
import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaGroup.Faults;
import io.kairos.domain.replica.ReplicaId;
import java.util.List;
import org.junit.jupiter.api.Test;

class EffectOutboxTest {
  private static final ComponentId OURS = new ComponentId(4_294_967_295L);
  private static final ComponentId OTHERS = new ComponentId(8);
  private static final ReplicaGroup CRASH = new ReplicaGroup(3, Faults.CRASH);
  private static final ReplicaGroup BYZANTINE = new ReplicaGroup(4, Faults.BYZANTINE);
  private static final byte[] BODY = {1, 2, 3};

  private final ReservedPages pages = new ReservedPages(1 << 26);
  private final EffectOutbox outbox = new EffectOutbox(pages);

  private static Tick tick(long sequence) {
    return new Tick(OURS, sequence, AgreedTime.OFF);
  }

  private static ReplicaId replica(int number) {
    return new ReplicaId(number);
  }

  private List<String> ids() {
    return outbox.waiting().stream().map(waiting -> waiting.id().toString()).toList();
  }

  @Test
  void effects_wait_as_they_were_decided_and_a_snapshot_carries_them() {
    outbox.put(tick(10), 0, Asking.EACH, BODY);
    outbox.put(tick(9), 700, Asking.EACH, new byte[Effect.MOST_BYTES]);
    EffectId last = outbox.put(tick(10), 2, Asking.IN_TURN, new byte[0]);
    ReservedPages others = new ReservedPages(1 << 26);
    others.restore(ReservedPages.Snapshot.decode(pages.snapshot().encode()));

    for (EffectOutbox each : List.of(outbox, new EffectOutbox(others))) {
      assertThat(each.waiting())
          .extracting(waiting -> waiting.id().toString())
          .containsExactly("4294967295-700-9", "4294967295-0-10", "4294967295-2-10");
      assertThat(each.waiting().get(1).effect().body()).isEqualTo(BODY);
      assertThat(each.waiting().get(2).effect().asking()).isEqualTo(Asking.IN_TURN);
      assertThat(each.count()).isEqualTo(3);
    }
    assertThat(last).isEqualTo(new EffectId(OURS, 2, 10)).isGreaterThan(new EffectId(OURS, 3, 9));
  }

  @Test
  void cc10_an_effect_of_an_action_that_throws_was_never_decided() {
    CronTableRegistry tables = new CronTableRegistry(pages, CronListener.NONE);
    CronTable table = tables.table(OURS);
    table.add(new CronEntry(1, _ -> true, now -> outbox.put(now, 1, Asking.EACH, BODY)));
    table.add(
        new CronEntry(
            2,
            _ -> true,
            now -> {
              outbox.put(now, 2, Asking.EACH, BODY);
              throw new IllegalArgumentException("on purpose");
            }));

    tables.evaluate(tick(1));
    tables.evaluate(tick(2));

    assertThat(ids()).containsExactly("4294967295-1-1", "4294967295-1-2");
    assertThat(outbox.count()).isEqualTo(2);
  }

  @Test
  void an_entry_has_one_effect_a_tick_and_the_second_fails_its_action() {
    CronTableRegistry tables = new CronTableRegistry(pages, CronListener.NONE);
    CronTable table = tables.table(OURS);
    table.add(
        new CronEntry(
            1,
            _ -> true,
            now -> {
              outbox.put(now, 1, Asking.EACH, BODY);
              outbox.put(now, 1, Asking.EACH, BODY);
            }));

    tables.evaluate(tick(1));

    assertThat(ids()).isEmpty();
    assertThat(table.failures())
        .extracting(EntryFailure::kind)
        .containsExactly("java.lang.IllegalStateException");
  }

  @Test
  void so_many_effects_wait_and_no_more_until_one_is_done() {
    for (int position = 0; position < EffectOutbox.MOST_EFFECTS; position++) {
      outbox.put(tick(1), position, Asking.EACH, BODY);
    }

    assertThatThrownBy(() -> outbox.put(tick(2), 0, Asking.EACH, BODY))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("no room for 4294967295-0-2");
    outbox.done(new EffectId(OURS, 500, 1), replica(0), CRASH);
    outbox.put(tick(2), 500, Asking.EACH, BODY);
    assertThat(outbox.waiting()).hasSize(EffectOutbox.MOST_EFFECTS);
  }

  /** How many an entry can have waiting, from a tick on, until it is refused. */
  private int fill(int position) {
    int put = 0;
    try {
      while (true) {
        outbox.put(tick(put + 1), position, Asking.EACH, BODY);
        put++;
      }
    } catch (IllegalStateException full) {
      return put;
    }
  }

  @Test
  void an_entry_whose_receiver_never_answers_leaves_room_for_others() {
    assertThat(fill(0)).isEqualTo(1_000);
    assertThat(fill(1)).isEqualTo(500);
    outbox.put(tick(1), 2, Asking.EACH, BODY);

    assertThatThrownBy(() -> outbox.put(tick(1_001), 0, Asking.EACH, BODY))
        .hasMessageContaining("1000 of them of this entry");
    outbox.waiting().forEach(waiting -> outbox.done(waiting.id(), replica(0), CRASH));
    assertThat(pages.count()).isZero();
    assertThat(fill(0)).isEqualTo(1_000);
  }

  @Test
  void a_body_has_4000_bytes_at_most() {
    assertThatThrownBy(() -> outbox.put(tick(1), 0, Asking.EACH, new byte[Effect.MOST_BYTES + 1]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("4001");
  }

  @Test
  void what_is_asked_for_in_turn_must_be_wanted_by_one_more_than_may_fail() {
    EffectId each = outbox.put(tick(1), 0, Asking.EACH, BODY);
    EffectId inTurn = outbox.put(tick(1), 1, Asking.IN_TURN, BODY);

    outbox.wanted(inTurn, replica(2));
    outbox.wanted(inTurn, replica(2));
    assertThat(outbox.waiting())
        .extracting(waiting -> waiting.mayBeAskedFor(CRASH))
        .containsExactly(true, false);
    outbox.wanted(inTurn, replica(0));

    PendingEffect waiting = outbox.waiting().getLast();
    assertThat(waiting.mayBeAskedFor(CRASH)).isTrue();
    assertThat(waiting.wantedBy()).isEqualTo(replica(0).bit() | replica(2).bit());
    assertThat(outbox.waiting().getFirst().id()).isEqualTo(each);
  }

  @Test
  void what_a_replica_says_is_done_is_forgotten_where_replicas_only_crash() {
    EffectId id = outbox.put(tick(1), 0, Asking.EACH, BODY);

    outbox.done(id, replica(1), CRASH);
    outbox.done(id, replica(2), CRASH);
    outbox.wanted(id, replica(0));

    assertThat(ids()).isEmpty();
    assertThat(outbox.count()).isZero();
  }

  @Test
  void where_they_lie_one_more_than_may_fail_must_say_that_it_is_done() {
    EffectId id = outbox.put(tick(1), 0, Asking.EACH, BODY);

    outbox.done(id, replica(1), BYZANTINE);
    outbox.done(id, replica(1), BYZANTINE);
    assertThat(ids()).hasSize(1);
    assertThat(outbox.waiting().getFirst().isDoneBy(replica(1))).isTrue();
    outbox.done(id, replica(3), BYZANTINE);

    assertThat(ids()).isEmpty();
  }

  @Test
  void what_is_said_of_an_effect_that_never_was_changes_nothing() {
    outbox.put(tick(1), 0, Asking.EACH, BODY);
    byte[] before = pages.digest();

    outbox.done(new EffectId(OTHERS, 0, 1), replica(1), CRASH);
    outbox.wanted(new EffectId(OURS, 0, 2), replica(1));
    outbox.done(new EffectId(OURS, 1, 1), replica(1), CRASH);

    assertThat(pages.digest()).isEqualTo(before);
  }

  @Test
  void numbers_that_no_entry_or_tick_has_are_refused() {
    assertThatThrownBy(() -> new EffectId(OURS, -1, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new EffectId(OURS, 0, 0)).isInstanceOf(IllegalArgumentException.class);
  }
}
