package io.kairos.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.engine.audit.AuditRecord;
import io.kairos.engine.audit.AuditSearch;
import io.kairos.engine.audit.AuditSearch.Place;
import io.kairos.engine.audit.AuditStore;
import io.kairos.engine.audit.AuditStore.EndedCall;
import io.kairos.engine.audit.AuditStore.NewEntry;
import io.kairos.engine.audit.AuditedCall;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract of every {@link AuditStore}, checked from outside through the port. */
public abstract class AuditStoreContract {
  private static final AuditedCall PAUSE =
      new AuditedCall("ana", "10.0.0.1", "SetPause", "handler", "billing", "collection=eu");
  private static final AuditedCall ROTATION =
      new AuditedCall("ben", "10.0.0.2", "RotateKey", "pool", "billing", "");
  private static final AuditedCall UNNAMED =
      new AuditedCall(null, "10.0.0.3", "DeleteSchedule", "schedule", "nightly", "");
  private static final List<AuditedCall> ALL = List.of(PAUSE, ROTATION, UNNAMED);

  @SuppressWarnings("NullAway.Init") // before each test
  private AuditStore audit;

  @BeforeEach
  void openStore() {
    audit = open();
  }

  /** A store without entries. */
  protected abstract AuditStore open();

  /** Lets at least this much time pass by the store's clock. */
  protected abstract void pass(Duration time);

  private List<Long> begin(List<AuditedCall> calls) {
    return audit.write(
        calls.stream().map(call -> new NewEntry(call, AuditRecord.BEGUN, 0)).toList(), List.of());
  }

  private List<AuditedCall> calls(AuditSearch query) {
    return audit.list(query).stream().map(AuditRecord::call).toList();
  }

  @Test
  void entries_are_listed_newest_first_with_all_of_their_parts() {
    List<Long> numbers = begin(ALL);
    NewEntry refusals =
        new NewEntry(new AuditedCall(null, "10.0.0.4", "", "", "", ""), "UNAUTHENTICATED", 4_812);
    audit.write(List.of(refusals), List.of());

    List<AuditRecord> listed = audit.list(AuditSearch.latest(10));

    assertThat(listed)
        .extracting(AuditRecord::call)
        .containsExactly(refusals.call(), UNNAMED, ROTATION, PAUSE);
    assertThat(listed)
        .extracting(AuditRecord::outcome)
        .containsExactly(
            "UNAUTHENTICATED", AuditRecord.BEGUN, AuditRecord.BEGUN, AuditRecord.BEGUN);
    assertThat(listed).extracting(AuditRecord::more).containsExactly(4_812L, 0L, 0L, 0L);
    assertThat(listed.subList(1, 4))
        .extracting(AuditRecord::number)
        .containsExactlyElementsOf(numbers.reversed());
  }

  @Test
  void numbers_are_those_of_the_entries_in_their_order() {
    List<AuditedCall> many =
        IntStream.range(0, 500)
            .mapToObj(n -> new AuditedCall("ana", "10.0.0.1", "CancelTask", "task", "t" + n, ""))
            .toList();

    List<Long> numbers = begin(many);

    assertThat(numbers).isSorted().doesNotHaveDuplicates();
    List<AuditRecord> oldestFirst = audit.list(AuditSearch.latest(500)).reversed();
    assertThat(oldestFirst).extracting(AuditRecord::call).isEqualTo(many);
    assertThat(oldestFirst).extracting(AuditRecord::number).isEqualTo(numbers);
  }

  @Test
  void an_outcome_is_written_once_and_only_to_its_own_entry() {
    List<Long> numbers = begin(List.of(PAUSE, ROTATION));

    audit.write(
        List.of(), List.of(new EndedCall(numbers.get(1), "OK"), new EndedCall(999_999, "OK")));
    audit.write(List.of(), List.of(new EndedCall(numbers.get(1), "INTERNAL")));

    assertThat(audit.list(AuditSearch.latest(10)))
        .extracting(AuditRecord::outcome)
        .containsExactly("OK", AuditRecord.BEGUN);
  }

  @Test
  void entries_and_outcomes_are_written_together() {
    long first = begin(List.of(PAUSE)).getFirst();

    List<Long> second =
        audit.write(
            List.of(new NewEntry(ROTATION, AuditRecord.BEGUN, 0)),
            List.of(new EndedCall(first, "OK")));

    assertThat(second).singleElement().isNotEqualTo(first);
    assertThat(audit.list(AuditSearch.latest(10)))
        .extracting(AuditRecord::outcome)
        .containsExactly(AuditRecord.BEGUN, "OK");
    assertThat(audit.write(List.of(), List.of())).isEmpty();
  }

  private static AuditSearch query(
      @Nullable String caller,
      @Nullable String action,
      @Nullable String kind,
      @Nullable String object,
      @Nullable String outcome) {
    return new AuditSearch(caller, action, kind, object, outcome, null, null, null, 10);
  }

  @Test
  void each_part_can_be_asked_for() {
    List<Long> numbers = begin(ALL);
    audit.write(List.of(), List.of(new EndedCall(numbers.getFirst(), "OK")));

    assertThat(calls(query("ana", null, null, null, null))).containsExactly(PAUSE);
    assertThat(calls(query(null, "RotateKey", null, null, null))).containsExactly(ROTATION);
    assertThat(calls(query(null, null, "schedule", null, null))).containsExactly(UNNAMED);
    assertThat(calls(query(null, null, null, "billing", null))).containsExactly(ROTATION, PAUSE);
    assertThat(calls(query("ben", null, null, "billing", null))).containsExactly(ROTATION);
    assertThat(calls(query("ben", "SetPause", null, null, null))).isEmpty();
    assertThat(calls(query(null, null, "pool", "billing", null))).containsExactly(ROTATION);
    assertThat(calls(query(null, null, null, null, "OK"))).containsExactly(PAUSE);
    assertThat(calls(query("nobody", null, null, null, null))).isEmpty();
  }

  @Test
  void a_time_is_asked_for_from_its_beginning_to_before_its_end() {
    begin(List.of(PAUSE));
    pass(Duration.ofMinutes(1));
    begin(List.of(ROTATION));
    pass(Duration.ofMinutes(1));
    begin(List.of(UNNAMED));
    Instant middle = audit.list(AuditSearch.latest(10)).get(1).at();

    assertThat(calls(between(middle, null))).containsExactly(UNNAMED, ROTATION);
    assertThat(calls(between(null, middle))).containsExactly(PAUSE);
    assertThat(calls(between(middle, middle.plusNanos(1_000)))).containsExactly(ROTATION);
  }

  private static AuditSearch between(@Nullable Instant from, @Nullable Instant to) {
    return new AuditSearch(null, null, null, null, null, from, to, null, 10);
  }

  @Test
  void pages_follow_one_another_also_within_a_moment() {
    begin(ALL);
    begin(ALL);
    List<AuditRecord> all = audit.list(AuditSearch.latest(10));

    for (int i = 0; i < all.size(); i++) {
      AuditRecord last = all.get(i);
      AuditSearch next =
          new AuditSearch(
              null, null, null, null, null, null, null, new Place(last.at(), last.number()), 2);
      assertThat(audit.list(next)).isEqualTo(all.subList(i + 1, Math.min(i + 3, all.size())));
    }
    AuditRecord third = all.get(2);
    assertThat(
            audit.list(
                new AuditSearch(
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    third.at().plusSeconds(3_600),
                    new Place(third.at(), third.number()),
                    10)))
        .isEqualTo(all.subList(3, 6));
  }

  @Test
  void entries_without_an_outcome_are_counted_once_their_calls_should_have_ended() {
    begin(ALL);
    pass(Duration.ofHours(2));
    List<Long> numbers = begin(ALL);
    audit.write(List.of(), List.of(new EndedCall(numbers.getFirst(), "OK")));
    assertThat(undecided(10)).isZero();
    pass(Duration.ofMinutes(10));
    begin(ALL);

    assertThat(undecided(10)).isEqualTo(2);
    assertThat(undecided(1)).isEqualTo(1);
    audit.write(List.of(), List.of(new EndedCall(numbers.getLast(), "OK")));
    assertThat(undecided(10)).isEqualTo(1);
    assertThat(undecided(1)).as("the newest of that time").isZero();
  }

  private int undecided(int limit) {
    return audit.undecided(Duration.ofMinutes(5), Duration.ofHours(1), limit);
  }

  @Test
  void old_entries_are_pruned_the_oldest_first_in_bounded_batches() {
    begin(ALL);
    pass(Duration.ofHours(2));
    begin(List.of(PAUSE));

    assertThat(audit.prune(Duration.ofHours(3), 10)).isZero();
    assertThat(audit.prune(Duration.ofHours(1), 2)).isEqualTo(2);
    assertThat(calls(AuditSearch.latest(10))).containsExactly(PAUSE, UNNAMED);
    assertThat(audit.prune(Duration.ofHours(1), 2)).isEqualTo(1);
    assertThat(audit.prune(Duration.ofHours(1), 2)).isZero();
    assertThat(calls(AuditSearch.latest(10))).containsExactly(PAUSE);
  }
}
