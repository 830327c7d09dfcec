package io.kairos.contracts;

import static io.kairos.domain.delay.AmendmentOutcome.APPLIED;
import static io.kairos.domain.delay.AmendmentOutcome.TOO_LATE;
import static io.kairos.domain.delay.AmendmentOutcome.UNKNOWN_ID;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.delay.Amendment;
import io.kairos.domain.delay.AmendmentOutcome;
import io.kairos.domain.delay.MessageId;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.node.NodeId;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.delay.port.AmendRequest;
import io.kairos.engine.delay.port.AmendmentDecision;
import io.kairos.engine.delay.port.AmendmentDecision.Decided;
import io.kairos.engine.delay.port.AmendmentDecision.RowChange;
import io.kairos.engine.delay.port.AmendmentResult;
import io.kairos.engine.delay.port.AmendmentStore;
import io.kairos.engine.delay.port.ClaimRequest;
import io.kairos.engine.delay.port.ClaimedMessage;
import io.kairos.engine.delay.port.PendingAmendment;
import io.kairos.engine.delay.port.ReplyTo;
import io.kairos.engine.node.LivenessStore.Departed;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The contract of every {@link AmendmentStore}: cancel and reschedule are linearizable per id. */
public abstract class AmendmentStoreContract extends DelayStoreContract {
  private static final Duration GRACE = Duration.ofMinutes(30);
  private static final RowChange KEEP = new RowChange.Keep();
  private static final RowChange DELETE = new RowChange.Delete();

  // Amendments that nobody has to be asked about

  @Test // TW-16, TW-L6
  void a_cancel_of_a_waiting_message_removes_it_at_once() {
    storeWaiting(message("a", micros(60)));

    long number = cancel("a");

    assertThat(amendments.outcome(number)).hasValue(APPLIED);
    assertThat(messages.claim(all(node))).isEmpty();
    assertThat(messages.pending(route, List.of(new MessageId("a")))).isEmpty();
  }

  @Test // TW-16
  void a_reschedule_of_a_waiting_message_moves_it_at_once_later_or_earlier() {
    storeWaiting(message("later", micros(60)), message("earlier", micros(60)));

    long later = reschedule("later", micros(600));
    long earlier = reschedule("earlier", micros(6));

    assertThat(amendments.outcome(later)).hasValue(APPLIED);
    assertThat(amendments.outcome(earlier)).hasValue(APPLIED);
    assertThat(ids(messages.claim(until(node, micros(30))))).containsExactly("earlier");
    assertThat(messages.claim(until(node, micros(300)))).isEmpty();
    assertThat(ids(messages.claim(until(node, micros(900))))).containsExactly("later");
  }

  @Test
  void a_reschedule_reaches_from_the_year_0_to_the_year_9999_and_keeps_the_payload() {
    var original = message("a", micros(60));
    storeWaiting(original);

    for (long due : new long[] {EpochMicros.MAX, EpochMicros.MIN, -1, 0, EpochMicros.MAX - 1}) {
      reschedule("a", due);
      ClaimedMessage claimed = messages.claim(until(node, due)).getFirst();
      assertSame(claimed.message(), original.dueAt(due));
      messages.defer(List.of(claimed), due);
    }
  }

  @Test
  void a_reschedule_ends_a_deferral() {
    ClaimedMessage held = storeHeld(node, message("a", micros(1)));
    messages.defer(List.of(held), micros(600));

    reschedule("a", micros(60));

    assertThat(messages.claim(until(node, micros(70)))).hasSize(1);
  }

  @Test
  void an_amendment_of_a_message_that_is_neither_waiting_nor_ready_finds_an_unknown_id() {
    RouteId other = messages.route("other");
    storeWaiting(message(other, "elsewhere", micros(60)));
    ClaimedMessage fired = storeHeld(node, message("fired", micros(1)));
    messages.delete(List.of(fired));

    for (String id : List.of("never", "elsewhere", "fired")) {
      assertThat(amendments.outcome(cancel(id))).hasValue(UNKNOWN_ID);
      assertThat(amendments.outcome(reschedule(id, micros(9)))).hasValue(UNKNOWN_ID);
    }
  }

  @Test
  void of_two_cancels_one_is_applied_and_the_id_may_be_used_again() {
    storeWaiting(message("a", micros(60)));

    assertThat(amendments.outcome(cancel("a"))).hasValue(APPLIED);
    assertThat(amendments.outcome(cancel("a"))).hasValue(UNKNOWN_ID);
    storeHeld(node, message("a", micros(70)));
  }

  @Test
  void numbers_rise() {
    storeWaiting(message("a", micros(60)));
    storeHeld(node, message("b", micros(60)));

    long first = reschedule("a", micros(50));
    long second = cancel("b");
    long third = cancel("never");

    assertThat(List.of(first, second, third)).isSorted().doesNotHaveDuplicates();
    assertThat(amendments.outcome(third + 4_711)).as("of a number never given").isEmpty();
  }

  @Test
  void an_amendment_of_a_message_that_may_have_been_sent_is_too_late() {
    ClaimedMessage held = storeHeld(node, message("a", micros(5)));
    messages.reset(List.of(suspect(held)));

    long cancel = cancel("a");
    long reschedule = reschedule("a", micros(60));

    assertThat(outcomes(cancel, reschedule)).containsExactly(TOO_LATE, TOO_LATE);
    assertSame(messages.claim(all(peer)).getFirst().message(), held.message());
  }

  // Amendments that wait for the holder

  @Test
  void an_amendment_of_a_held_message_waits_for_its_holder() {
    ClaimedMessage held = storeHeld(node, message("a", micros(5)));

    long cancel = cancel("a");
    long due = micros(9);
    long reschedule = reschedule("a", due);

    assertThat(amendments.outcome(cancel)).isEmpty();
    assertThat(amendments.outcome(reschedule)).isEmpty();
    List<PendingAmendment> undecided = amendments.undecided(node, MANY);
    assertThat(undecided).extracting(PendingAmendment::number).containsExactly(cancel, reschedule);
    assertThat(undecided)
        .extracting(PendingAmendment::amendment)
        .containsExactly(new Amendment.Cancel(), new Amendment.Reschedule(due));
    assertThat(undecided)
        .allSatisfy(one -> {
          assertSame(one.message().message(), held.message());
          assertThat(one.message().fence()).isEqualTo(held.fence());
          assertThat(one.message().amended()).isTrue();
        });
    assertThat(amendments.undecided(peer, MANY)).isEmpty();
    assertThat(messages.readBack(held.fence()).getFirst().amended()).isTrue();
  }

  @Test
  void undecided_amendments_come_in_the_order_of_their_numbers_and_up_to_a_limit() {
    storeHeld(node, message("a", micros(5)));
    storeHeld(node, message("b", micros(4)));
    long first = cancel("a");
    long second = cancel("b");
    long third = cancel("a");

    assertThat(undecidedNumbers(node, MANY)).containsExactly(first, second, third);
    assertThat(undecidedNumbers(node, 2)).containsExactly(first, second);
  }

  @Test
  void undecided_amendments_follow_the_message_to_its_new_holder() {
    storeHeld(node, message("a", micros(5)));
    long number = cancel("a");

    ClaimedMessage taken = takeOver(node, all(peer)).getFirst();
    assertThat(amendments.undecided(node, MANY)).isEmpty();
    assertThat(amendments.undecided(peer, MANY))
        .singleElement()
        .satisfies(one -> assertThat(one.message().fence()).isEqualTo(taken.fence()));

    messages.reset(List.of(suspect(taken)));
    assertThat(amendments.undecided(peer, MANY)).isEmpty();
    assertThat(amendments.outcome(number)).isEmpty();

    messages.claim(all(node));
    assertThat(amendments.undecided(node, MANY)).hasSize(1);
  }

  @Test
  void an_amendment_of_a_waiting_message_with_an_undecided_one_waits_behind_it() {
    ClaimedMessage held = storeHeld(node, message("a", micros(5)));
    long first = reschedule("a", micros(50));
    messages.defer(List.of(held), micros(6));

    long second = cancel("a");

    assertThat(amendments.outcome(second)).isEmpty();
    ClaimedMessage claimed = messages.claim(all(peer)).getFirst();
    assertThat(claimed.amended()).isTrue();
    assertThat(undecidedNumbers(peer, MANY)).containsExactly(first, second);
  }

  @Test
  void a_deferred_message_keeps_its_undecided_amendments() {
    ClaimedMessage held = storeHeld(node, message("a", micros(5)));
    long number = cancel("a");
    messages.defer(List.of(held), micros(9));

    assertThat(amendments.undecided(node, MANY)).isEmpty();
    assertThat(messages.claim(all(peer)).getFirst().amended()).isTrue();
    assertThat(undecidedNumbers(peer, MANY)).containsExactly(number);
  }

  // Decisions

  @Test
  void a_decided_cancel_removes_the_message() {
    ClaimedMessage held = storeHeld(node, message("a", micros(5)));
    long number = cancel("a");
    AmendmentDecision decision = decision(held, DELETE, number, APPLIED);

    assertThat(decide(decision)).containsExactly(decision);

    assertThat(amendments.outcome(number)).hasValue(APPLIED);
    assertThat(amendments.undecided(node, MANY)).isEmpty();
    assertThat(messages.readBack(held.fence())).isEmpty();
    assertThat(messages.pending(route, List.of(held.message().id()))).isEmpty();
  }

  @Test
  void a_decided_reschedule_gives_the_message_back() {
    ClaimedMessage held = storeHeld(node, message("a", micros(5)));
    long due = micros(600);
    long number = reschedule("a", due);

    decide(decision(held, new RowChange.Reschedule(due), number, APPLIED));

    assertThat(messages.readBack(held.fence())).isEmpty();
    assertThat(messages.claim(until(peer, due - 1))).isEmpty();
    ClaimedMessage claimed = messages.claim(until(peer, due)).getFirst();
    assertSame(claimed.message(), held.message().dueAt(due));
    assertThat(claimed.amended()).isFalse();
  }

  @Test
  void a_decision_that_the_firing_had_begun_leaves_the_row_as_it_is() {
    ClaimedMessage held = storeHeld(node, message("a", micros(5)));
    long number = cancel("a");

    decide(decision(held, KEEP, number, TOO_LATE));

    assertThat(amendments.outcome(number)).hasValue(TOO_LATE);
    ClaimedMessage now = messages.readBack(held.fence()).getFirst();
    assertSame(now.message(), held.message());
    assertThat(now.amended()).isFalse();
    assertThat(messages.delete(List.of(held))).isEmpty();
    assertThat(amendments.outcome(number)).hasValue(TOO_LATE);
  }

  @Test
  void several_amendments_of_one_message_are_decided_together() {
    ClaimedMessage held = storeHeld(node, message("a", micros(5)));
    long first = reschedule("a", micros(7));
    long second = cancel("a");
    long third = reschedule("a", micros(8));

    decide(
        new AmendmentDecision(
            held,
            DELETE,
            List.of(
                new Decided(first, APPLIED),
                new Decided(second, APPLIED),
                new Decided(third, UNKNOWN_ID))));

    assertThat(outcomes(first, second, third)).containsExactly(APPLIED, APPLIED, UNKNOWN_ID);
  }

  @Test
  void an_amendment_that_came_after_the_decided_ones_stays_undecided_and_the_message_amended() {
    ClaimedMessage held = storeHeld(node, message("a", micros(5)));
    long due = micros(7);
    long first = reschedule("a", due);
    long later = cancel("a");

    decide(decision(held, new RowChange.Reschedule(due), first, APPLIED));

    assertThat(amendments.outcome(later)).isEmpty();
    ClaimedMessage kept = messages.readBack(held.fence()).getFirst();
    assertThat(kept.amended()).isTrue();
    assertThat(kept.message().dueMicros()).isEqualTo(due);
    assertThat(undecidedNumbers(node, MANY)).containsExactly(later);
  }

  @Test
  void an_amendment_that_came_after_the_deciding_cancel_finds_an_unknown_id() {
    ClaimedMessage held = storeHeld(node, message("a", micros(5)));
    long first = cancel("a");
    long later = cancel("a");

    decide(decision(held, DELETE, first, APPLIED));

    assertThat(amendments.outcome(later)).hasValue(UNKNOWN_ID);
  }

  @Test
  void a_decision_under_an_old_pair_changes_nothing() {
    ClaimedMessage held = storeHeld(node, message("a", micros(5)));
    long number = cancel("a");
    ClaimedMessage taken = takeOver(node, all(peer)).getFirst();

    for (RowChange change : List.of(KEEP, DELETE, new RowChange.Reschedule(micros(9)))) {
      assertThat(decide(decision(held, change, number, APPLIED))).isEmpty();
    }

    assertThat(amendments.outcome(number)).isEmpty();
    ClaimedMessage now = messages.readBack(taken.fence()).getFirst();
    assertSame(now.message(), held.message());
    assertThat(now.amended()).isTrue();
  }

  @Test
  void a_late_decision_does_not_touch_a_newer_message_with_the_same_id() {
    ClaimedMessage first = storeHeld(node, message("again", micros(5)));
    long number = cancel("again");
    messages.delete(List.of(first));
    ClaimedMessage newer = storeHeld(node, message("again", micros(6)));
    long newNumber = cancel("again");

    assertThat(decide(decision(first, DELETE, number, APPLIED))).isEmpty();

    assertThat(amendments.outcome(number)).hasValue(TOO_LATE);
    assertThat(amendments.outcome(newNumber)).isEmpty();
    assertThat(messages.readBack(newer.fence())).hasSize(1);
  }

  @Test
  void of_many_decisions_those_that_fit_are_carried_out_and_returned() {
    RouteId other = messages.route("other");
    ClaimedMessage a = storeHeld(node, message("a", micros(5)));
    ClaimedMessage b = storeHeld(node, message("b", micros(5)));
    ClaimedMessage elsewhere = storeHeld(node, message(other, "a", micros(5)));
    long ofA = cancel("a");
    long ofB = cancel("b");
    messages.reset(List.of(suspect(b)));
    AmendmentDecision fits = decision(a, DELETE, ofA, APPLIED);

    assertThat(decide(decision(b, DELETE, ofB, APPLIED), fits)).containsExactly(fits);

    assertThat(amendments.outcome(ofB)).isEmpty();
    assertThat(messages.readBack(elsewhere.fence())).hasSize(1);
    assertThat(decide()).isEmpty();
  }

  @Test
  void a_decision_that_is_carried_out_twice_is_the_same_as_once() {
    ClaimedMessage held = storeHeld(node, message("a", micros(5)));
    long due = micros(9);
    long number = reschedule("a", due);
    AmendmentDecision decision = decision(held, new RowChange.Reschedule(due), number, APPLIED);

    decide(decision);
    decide(decision);

    assertThat(amendments.outcome(number)).hasValue(APPLIED);
    assertSame(messages.claim(until(node, due)).getFirst().message(), held.message().dueAt(due));
  }

  @Test
  void an_outcome_once_given_is_final() {
    ClaimedMessage held = storeHeld(node, message("a", micros(5)));
    long number = cancel("a");
    decide(decision(held, KEEP, number, TOO_LATE));

    decide(decision(held, KEEP, number, APPLIED));

    assertThat(amendments.outcome(number)).hasValue(TOO_LATE);
  }

  @Test
  void what_waits_when_the_message_is_deleted_came_too_late() {
    ClaimedMessage held = storeHeld(node, message("a", micros(5)));
    long cancel = cancel("a");
    long reschedule = reschedule("a", micros(9));
    ClaimedMessage other = storeHeld(node, message("b", micros(5)));
    long ofOther = cancel("b");

    assertThat(messages.delete(List.of(held))).isEmpty();

    assertThat(outcomes(cancel, reschedule)).containsExactly(TOO_LATE, TOO_LATE);
    assertThat(amendments.outcome(ofOther)).isEmpty();
    assertThat(messages.readBack(other.fence()).getFirst().amended()).isTrue();
  }

  @Test
  void a_delete_that_finds_nothing_decides_nothing() {
    ClaimedMessage held = storeHeld(node, message("a", micros(5)));
    long number = cancel("a");
    takeOver(node, all(peer));

    messages.delete(List.of(held));

    assertThat(amendments.outcome(number)).isEmpty();
  }

  @Test
  void a_newer_message_does_not_inherit_amendments() {
    ClaimedMessage held = storeHeld(node, message("again", micros(5)));
    cancel("again");
    messages.delete(List.of(held));
    ClaimedMessage newer = storeHeld(node, message("again", micros(6)));

    assertThat(messages.readBack(newer.fence()).getFirst().amended()).isFalse();
    assertThat(amendments.undecided(node, MANY)).isEmpty();
  }

  // Telling

  @Test
  void outcomes_decided_at_once_are_told_by_the_node_that_took_the_amendment_in() {
    storeWaiting(message("a", micros(60)));
    AmendRequest applied = toTopic("a", new Amendment.Cancel(), 10);
    AmendRequest unknown = toTopic("never", new Amendment.Reschedule(micros(9)), 11);

    acceptAmendments(node, applied, unknown);

    assertThat(untold(peer)).isEmpty();
    assertThat(byRequest(untold(node))).isEqualTo(Map.of(applied, APPLIED, unknown, UNKNOWN_ID));
  }

  @Test
  void outcomes_of_decisions_are_told_by_the_deciding_node() {
    AmendRequest request = toTopic("a", new Amendment.Cancel(), 10);
    ClaimedMessage held = storeHeld(node, message("a", micros(5)));
    acceptAmendments(peer, request);
    assertThat(untold(node)).isEmpty();
    assertThat(untold(peer)).isEmpty();
    long number = amendments.undecided(node, MANY).getFirst().number();

    decide(decision(held, DELETE, number, APPLIED));

    assertThat(byRequest(untold(node))).isEqualTo(Map.of(request, APPLIED));
    assertThat(untold(peer)).isEmpty();
  }

  @Test
  void what_finds_an_unknown_id_after_a_deciding_cancel_is_told_by_the_deciding_node() {
    AmendRequest first = toTopic("a", new Amendment.Cancel(), 10);
    AmendRequest later = toTopic("a", new Amendment.Reschedule(micros(9)), 11);
    ClaimedMessage held = storeHeld(node, message("a", micros(5)));
    acceptAmendments(peer, first);
    long number = amendments.undecided(node, MANY).getFirst().number();
    acceptAmendments(peer, later);

    decide(decision(held, DELETE, number, APPLIED));

    assertThat(byRequest(untold(node))).isEqualTo(Map.of(first, APPLIED, later, UNKNOWN_ID));
  }

  @Test
  void what_came_too_late_for_a_delete_is_told_by_the_holder() {
    AmendRequest request = toTopic("a", new Amendment.Cancel(), 10);
    ClaimedMessage held = storeHeld(node, message("a", micros(5)));
    acceptAmendments(peer, request);

    messages.delete(List.of(held));

    assertThat(byRequest(untold(node))).isEqualTo(Map.of(request, TOO_LATE));
  }

  @Test
  void a_result_says_all_that_the_results_topic_needs() {
    long due = micros(9);
    byte[] key = {0, -1, 127};
    Amendment reschedule = new Amendment.Reschedule(due);
    Amendment cancel = new Amendment.Cancel();
    AmendRequest withKey =
        toTopic("with key 😀", reschedule, new ReplyTo.ResultsTopic(7, 1L << 40, key));
    AmendRequest withoutKey = toTopic("without key", cancel, new ReplyTo.ResultsTopic(0, 0, null));
    AmendRequest withEmptyKey =
        toTopic("with empty key", cancel, new ReplyTo.ResultsTopic(1, 2, new byte[0]));

    acceptAmendments(node, withKey, withoutKey, withEmptyKey);

    List<AmendmentResult> results = untold(node);
    assertThat(results.stream().map(AmendmentStoreContract::request))
        .containsExactlyInAnyOrder(withKey, withoutKey, withEmptyKey);
    assertThat(results).extracting(AmendmentResult::number).doesNotHaveDuplicates();
  }

  @Test
  void untold_results_are_given_up_to_a_limit_and_until_they_are_told() {
    acceptAmendments(
        node,
        toTopic("x", new Amendment.Cancel(), 1),
        toTopic("y", new Amendment.Cancel(), 2),
        toTopic("z", new Amendment.Cancel(), 3));

    List<AmendmentResult> two = amendments.untold(node, route, 0, 2);
    assertThat(two).hasSize(2);
    assertThat(amendments.untold(node, route, two.getLast().number(), MANY))
        .singleElement()
        .isNotIn(two);
    assertThat(untold(node)).hasSize(3);
    amendments.told(two.stream().map(AmendmentResult::number).toList());

    List<AmendmentResult> rest = untold(node);
    assertThat(rest).hasSize(1).doesNotContainAnyElementsOf(two);
    amendments.told(List.of(rest.getFirst().number()));
    amendments.told(List.of(rest.getFirst().number()));
    amendments.told(List.of());
    assertThat(untold(node)).isEmpty();
  }

  @Test
  void a_callers_outcome_is_not_for_the_results_topic_and_is_forgotten_once_told() {
    storeWaiting(message("a", micros(60)));
    long number = cancel("a");
    ClaimedMessage held = storeHeld(node, message("b", micros(5)));
    long second = cancel("b");
    decide(decision(held, DELETE, second, APPLIED));

    assertThat(untold(node)).isEmpty();
    assertThat(amendments.outcome(number)).hasValue(APPLIED);
    amendments.told(List.of(number));

    assertThat(amendments.outcome(number)).isEmpty();
    assertThat(amendments.outcome(second)).hasValue(APPLIED);
  }

  @Test
  void a_callers_amendment_in_a_batch_keeps_its_outcome_for_the_caller() {
    ClaimedMessage held = storeHeld(node, message("a", micros(5)));
    acceptAmendments(peer, toCaller("a", new Amendment.Cancel()));
    long number = amendments.undecided(node, MANY).getFirst().number();

    messages.delete(List.of(held));

    assertThat(amendments.outcome(number)).hasValue(TOO_LATE);
    assertThat(untold(node)).isEmpty();
  }

  @Test
  void what_a_lapsed_node_has_not_told_another_adopts() {
    NodeId third = enrolled();
    acceptAmendments(node, toTopic("x", new Amendment.Cancel(), 1));
    acceptAmendments(peer, toTopic("y", new Amendment.Cancel(), 2));
    acceptAmendments(third, toTopic("z", new Amendment.Cancel(), 3));

    amendments.adoptUntold(node, peer, Set.of(route));
    amendments.adoptUntold(node, peer, Set.of(route));

    assertThat(untold(node)).isEmpty();
    assertThat(untold(peer))
        .extracting(result -> result.id().value())
        .containsExactlyInAnyOrder("x", "y");
    assertThat(untold(third)).hasSize(1);
  }

  @Test
  void outcomes_of_a_route_are_told_and_adopted_by_a_node_that_serves_it() {
    RouteId other = messages.route("served by others");
    AmendRequest ours = toTopic("x", new Amendment.Cancel(), 1);
    AmendRequest theirs =
        new AmendRequest(other, new MessageId("y"), ours.amendment(), ours.replyTo());
    acceptAmendments(node, ours);
    accept(other, newFence(node), List.of(), List.of(), List.of(), theirs);

    amendments.adoptUntold(node, peer, Set.of(route));

    assertThat(untold(peer)).extracting(result -> result.id().value()).containsExactly("x");
    assertThat(amendments.untold(peer, other, 0, MANY)).isEmpty();
    assertThat(amendments.untold(node, other, 0, MANY))
        .extracting(result -> result.id().value())
        .containsExactly("y");
    amendments.adoptUntold(node, peer, Set.of());
    amendments.adoptUntold(node, peer, Set.of(route, other));
    assertThat(amendments.untold(peer, other, 0, MANY)).hasSize(1);
  }

  @Test
  void undecided_amendments_are_never_forgotten() {
    storeHeld(node, message("a", micros(5)));
    long number = cancel("a");

    amendments.told(List.of(number));
    stores.letPass(Duration.ofHours(2));
    liveness.bury(Duration.ofMinutes(1));

    assertThat(undecidedNumbers(node, MANY)).containsExactly(number);
  }

  @Test
  void outcomes_that_no_caller_reads_are_forgotten_after_an_hour_but_untold_results_are_not() {
    long number = cancel("never");
    acceptAmendments(node, toTopic("x", new Amendment.Cancel(), 1));

    stores.letPass(Duration.ofMinutes(50));
    liveness.bury(Duration.ofMinutes(1));
    assertThat(amendments.outcome(number)).isPresent();

    stores.letPass(Duration.ofMinutes(20));
    liveness.bury(Duration.ofMinutes(1));
    assertThat(amendments.outcome(number)).isEmpty();
    assertThat(untold(node)).hasSize(1);
  }

  @Test
  void claims_of_amended_messages_see_the_amendment_in_any_order_of_events() {
    storeWaiting(message("a", micros(60)));
    ClaimedMessage held = messages.claim(all(node)).getFirst();
    assertThat(held.amended()).isFalse();
    long reschedule = reschedule("a", micros(90));
    messages.reset(List.of(suspect(held)));
    ClaimRequest again = new ClaimRequest(newFence(peer), Set.of(route), micros(70), 1, 1);

    // Undecided, so it is still due when it was.
    ClaimedMessage reclaimed = messages.claim(again).getFirst();

    assertThat(reclaimed.amended()).isTrue();
    assertThat(undecidedNumbers(peer, MANY)).containsExactly(reschedule);
  }

  private List<Long> undecidedNumbers(NodeId holder, int limit) {
    return amendments.undecided(holder, limit).stream().map(PendingAmendment::number).toList();
  }

  private List<AmendmentDecision> decide(AmendmentDecision... decisions) {
    return amendments.decide(node, List.of(decisions));
  }

  private List<AmendmentOutcome> outcomes(long... numbers) {
    return LongStream.of(numbers)
        .mapToObj(number -> amendments.outcome(number).orElseThrow())
        .toList();
  }

  private static AmendmentDecision decision(
      ClaimedMessage message, RowChange change, long number, AmendmentOutcome outcome) {
    return new AmendmentDecision(message, change, List.of(new Decided(number, outcome)));
  }

  private static Map<AmendRequest, AmendmentOutcome> byRequest(List<AmendmentResult> results) {
    return results.stream()
        .collect(Collectors.toMap(AmendmentStoreContract::request, AmendmentResult::outcome));
  }

  private static AmendRequest request(AmendmentResult result) {
    return new AmendRequest(result.route(), result.id(), result.amendment(), result.replyTo());
  }

  @Test
  void a_node_with_untold_outcomes_is_not_buried() {
    acceptAmendments(node, toTopic("never", new Amendment.Cancel(), 1));
    liveness.alive().forEach(liveness::declareDead);
    stores.letPass(GRACE.plus(GRACE));

    liveness.bury(GRACE);
    assertThat(liveness.departed()).containsExactly(new Departed(node, false));

    amendments.adoptUntold(node, peer, Set.of(route));
    amendments.told(List.of(untold(peer).getFirst().number()));
    liveness.bury(GRACE);
    assertThat(liveness.departed()).isEmpty();
  }
}
