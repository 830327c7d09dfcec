package io.kairos.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.delay.Amendment;
import io.kairos.domain.delay.AmendmentOutcome;
import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.delay.Fence;
import io.kairos.domain.delay.HeaderCodec;
import io.kairos.domain.delay.MessageHeader;
import io.kairos.domain.delay.MessageId;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.queue.HandlerName;
import io.kairos.domain.task.queue.MessageOutput;
import io.kairos.domain.task.queue.PoolName;
import io.kairos.domain.task.queue.TopicName;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.delay.port.ClaimRequest;
import io.kairos.engine.delay.port.ClaimedMessage;
import io.kairos.engine.delay.port.IntakeBatch;
import io.kairos.engine.delay.port.IntakeResult;
import io.kairos.engine.delay.port.KeptLetter;
import io.kairos.engine.delay.port.LetterMark;
import io.kairos.engine.delay.port.LongHeldMessage;
import io.kairos.engine.delay.port.MessageCounts;
import io.kairos.engine.delay.port.MessageStore;
import io.kairos.engine.delay.port.OffsetMove;
import io.kairos.engine.delay.port.StoredMessage;
import io.kairos.engine.delay.port.TopicId;
import io.kairos.engine.node.LivenessStore.Departed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The contract of every {@link MessageStore}, checked from outside through the port. Expects that
 * holders are enrolled, as live nodes are.
 */
public abstract class MessageStoreContract extends DelayStoreContract {
  private static final Duration GRACE = Duration.ofMinutes(30);
  private static final Duration HOLD = Duration.ofMinutes(10);
  private static final List<MessageOutput> OUTPUTS =
      List.of(new TopicName("elsewhere"), new HandlerName("pool"), new PoolName("shop"));
  private static final byte[] ALL_BYTES = new byte[256];

  static {
    for (int i = 0; i < ALL_BYTES.length; i++) {
      ALL_BYTES[i] = (byte) i;
    }
  }

  // Routes and positions

  @Test
  void a_route_has_one_number_for_ever() {
    RouteId other = messages.route("other");

    assertThat(messages.route("in-to-out")).isEqualTo(route).isNotEqualTo(other);
    assertThat(messages.route("other")).isEqualTo(other);
  }

  @Test
  void a_partition_that_was_never_stored_has_no_position() {
    assertThat(messages.positions(route, TOPIC, List.of(0, 1))).isEmpty();
    assertThat(messages.positions(route, TOPIC, List.of())).isEmpty();
  }

  @Test
  void positions_are_kept_per_route_and_partition() {
    RouteId other = messages.route("other");

    move(route, new OffsetMove(TOPIC, 0, 0, 10), new OffsetMove(TOPIC, 5, 0, 20));
    move(other, new OffsetMove(TOPIC, 0, 0, 30));

    assertThat(messages.positions(route, TOPIC, List.of(0, 1, 5)))
        .isEqualTo(Map.of(0, 10L, 5, 20L));
    assertThat(messages.positions(other, TOPIC, List.of(0, 5))).isEqualTo(Map.of(0, 30L));
  }

  @Test
  void a_first_position_is_taken_whatever_was_expected_and_moves_on_from_there() {
    move(route, new OffsetMove(TOPIC, 2, 77, 80));
    assertThat(messages.positions(route, TOPIC, List.of(2))).isEqualTo(Map.of(2, 80L));

    move(route, new OffsetMove(TOPIC, 2, 80, 81));

    assertThat(messages.positions(route, TOPIC, List.of(2))).isEqualTo(Map.of(2, 81L));
  }

  @Test
  void positions_belong_to_the_topic_and_not_to_its_name() {
    TopicId madeAnew = new TopicId(new UUID(7, 8));
    move(route, new OffsetMove(TOPIC, 0, 0, 10));

    assertThat(messages.positions(route, madeAnew, List.of(0))).isEmpty();
    move(route, new OffsetMove(madeAnew, 0, 0, 3));

    assertThat(messages.positions(route, madeAnew, List.of(0))).isEqualTo(Map.of(0, 3L));
    assertThat(messages.positions(route, TOPIC, List.of(0))).isEqualTo(Map.of(0, 10L));
  }

  @Test // CH-24, CH-B7
  void a_superseded_batch_changes_nothing_at_all() {
    move(route, new OffsetMove(TOPIC, 0, 0, 10), new OffsetMove(TOPIC, 1, 0, 10));
    storeWaiting(message("target", micros(60)));

    IntakeResult result =
        accept(
            route,
            newFence(node),
            List.of(new OffsetMove(TOPIC, 0, 10, 20), new OffsetMove(TOPIC, 1, 9, 20)),
            List.of(message("claimed", micros(60))),
            List.of(message("waiting", micros(60))),
            toTopic("target", new Amendment.Cancel(), 15));

    assertThat(result).isEqualTo(new IntakeResult.Superseded());
    assertThat(messages.positions(route, TOPIC, List.of(0, 1))).isEqualTo(Map.of(0, 10L, 1, 10L));
    assertThat(ids(messages.claim(all(peer)))).containsExactly("target");
    assertThat(takeOver(node, all(peer))).isEmpty();
    assertThat(untold(node)).isEmpty();
  }

  @Test
  void a_batch_that_is_stored_again_is_superseded_by_itself() {
    List<OffsetMove> moves = List.of(new OffsetMove(TOPIC, 0, 0, 1));
    List<DelayedMessage> one = List.of(message("a", micros(60)));

    stored(accept(newFence(node), moves, one, List.of()));
    IntakeResult again = accept(newFence(node), moves, one, List.of());

    // The position 0 is expected but 1 is stored: an unknown commit shows itself like this.
    assertThat(again).isEqualTo(new IntakeResult.Superseded());
  }

  @Test
  void d7_a_batch_of_a_buried_node_changes_nothing_at_all() {
    move(route, new OffsetMove(TOPIC, 0, 0, 10));
    Fence late = newFence(enrolled());
    liveness.retire(late.readiedBy());
    stores.letPass(Duration.ofSeconds(1));
    liveness.bury(Duration.ofMillis(1));

    IntakeResult result =
        accept(
            late,
            List.of(new OffsetMove(TOPIC, 0, 10, 20)),
            List.of(message("claimed", micros(60))),
            List.of(message("waiting", micros(60))));

    assertThat(result).isEqualTo(new IntakeResult.Superseded());
    assertThat(messages.positions(route, TOPIC, List.of(0))).isEqualTo(Map.of(0, 10L));
    assertThat(messages.claim(all(node))).isEmpty();
    assertThat(messages.readBack(late)).isEmpty();
  }

  // Taking in

  @Test // CH-15, TW-11
  void a_batch_is_stored_claimed_or_waiting_as_it_says() {
    Fence fence = newFence(node);

    IntakeResult.Stored result =
        stored(
            accept(
                fence,
                List.of(new OffsetMove(TOPIC, 0, 0, 3)),
                List.of(message("a", micros(5)), message("b", micros(4))),
                List.of(message("c", micros(60)))));

    assertThat(result.inserted())
        .containsExactlyInAnyOrder(new MessageId("a"), new MessageId("b"), new MessageId("c"));
    assertThat(result.decided()).isEmpty();
    assertThat(ids(messages.readBack(fence))).containsExactly("b", "a");
    assertThat(ids(messages.claim(all(peer)))).containsExactly("c");
  }

  @Test
  void an_empty_batch_is_stored() {
    IntakeResult.Stored result = stored(accept(newFence(node), List.of(), List.of(), List.of()));

    assertThat(result.inserted()).isEmpty();
  }

  @Test // CH-B5
  void ch12_an_id_that_is_waiting_or_ready_is_ignored_and_the_first_one_stays_as_it_is() {
    DelayedMessage waiting = message("waiting", micros(60));
    DelayedMessage held = message("held", micros(5));
    storeWaiting(waiting);
    ClaimedMessage claimed = storeHeld(node, held);
    Fence latecomer = newFence(peer);

    IntakeResult.Stored result =
        stored(
            accept(
                latecomer,
                List.of(new OffsetMove(TOPIC, 0, 0, 4)),
                List.of(
                    message(route, "waiting", micros(1), new byte[] {1}),
                    message(route, "new", micros(1), new byte[] {1})),
                List.of(message(route, "held", micros(1), new byte[] {1}))));

    assertThat(result.inserted()).containsExactly(new MessageId("new"));
    assertThat(messages.positions(route, TOPIC, List.of(0))).isEqualTo(Map.of(0, 4L));
    assertThat(ids(messages.readBack(latecomer))).containsExactly("new");
    assertSame(messages.readBack(claimed.fence()).getFirst().message(), held);
    assertSame(messages.claim(all(peer)).getFirst().message(), waiting);
  }

  @Test
  void ch13_an_id_is_forgotten_once_it_has_fired() {
    ClaimedMessage first = storeHeld(node, message("again", micros(1)));
    assertThat(messages.delete(List.of(first))).isEmpty();

    storeHeld(node, message("again", micros(2)));
  }

  @Test
  void ids_are_unique_per_route_only() {
    RouteId other = messages.route("other");

    storeHeld(node, message(route, "same", micros(1)));
    storeHeld(node, message(other, "same", micros(2)));

    assertThat(takeOver(node, claimOf(Set.of(other), MANY, PLENTY_BYTES)))
        .singleElement()
        .satisfies(one -> assertThat(one.message().route()).isEqualTo(other));
  }

  @Test
  void ids_that_differ_in_any_code_point_are_different() {
    List<String> alike =
        List.of("a", "A", "a ", " a", "á", "a\u0301", "ａ", "a\t", "a\n", "'", "\\", "%", "{}", ",");

    for (String id : alike) {
      storeHeld(node, message(id, micros(1)));
    }

    assertThat(ids(takeOver(node, all(peer)))).containsExactlyInAnyOrderElementsOf(alike);
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "é", "漢", "😀"})
  void ch18_an_id_may_have_128_code_points_of_any_kind(String codePoint) {
    String id = codePoint.repeat(MessageId.MAX_CODE_POINTS);
    storeWaiting(message(id, micros(60)));

    List<ClaimedMessage> claimed = messages.claim(all(node));

    assertThat(ids(claimed)).containsExactly(id);
    assertThat(messages.pending(route, List.of(new MessageId(id)))).hasSize(1);
    assertThat(messages.delete(claimed)).isEmpty();
  }

  @Test
  void ch9_key_value_headers_and_output_come_back_byte_for_byte() {
    byte[] headers =
        HeaderCodec.encode(
            List.of(
                new MessageHeader("h", ALL_BYTES),
                new MessageHeader("h", null),
                new MessageHeader("", new byte[0]),
                new MessageHeader("\0 ü 😀", new byte[] {0})));
    List<DelayedMessage> shapes = new ArrayList<>();
    for (int k = 0; k < 16; k++) {
      shapes.add(
          new DelayedMessage(
              route,
              new MessageId("shape-" + k),
              micros(0) + k,
              k % 2 == 0 ? null : OUTPUTS.get(k / 2 % OUTPUTS.size()),
              k % 3 == 0 ? new byte[0] : headers,
              bytesOfKind(k / 4),
              bytesOfKind(k % 4)));
    }
    int half = shapes.size() / 2;
    Fence fence = newFence(node);

    stored(accept(fence, List.of(), shapes.subList(0, half), shapes.subList(half, shapes.size())));

    List<ClaimedMessage> back = new ArrayList<>(messages.readBack(fence));
    back.addAll(messages.claim(all(node)));
    assertThat(back).hasSameSizeAs(shapes);
    for (int i = 0; i < shapes.size(); i++) {
      assertSame(back.get(i).message(), shapes.get(i));
    }
  }

  private static byte @Nullable [] bytesOfKind(int kind) {
    return switch (kind) {
      case 0 -> null;
      case 1 -> new byte[0];
      case 2 -> new byte[] {0};
      default -> ALL_BYTES;
    };
  }

  @Test
  void a_letter_is_kept_byte_for_byte_and_may_be_kept_again() {
    KeptLetter whole =
        new KeptLetter(new UUID(7, 1), route, "too-large", ALL_BYTES, ALL_BYTES, ALL_BYTES);
    KeptLetter empty = new KeptLetter(new UUID(7, 2), route, "missing-id", null, null, new byte[0]);

    assertThat(messages.keep(whole)).isTrue();
    assertThat(messages.keep(whole)).isTrue();
    assertThat(messages.keep(empty)).isTrue();

    assertThat(messages.kept(whole.id())).usingRecursiveComparison().isEqualTo(Optional.of(whole));
    assertThat(messages.kept(empty.id())).usingRecursiveComparison().isEqualTo(Optional.of(empty));
    assertThat(messages.kept(new UUID(7, 3))).isEmpty();
  }

  @Test
  void a_dead_letter_is_noted_once_unless_it_is_asked_for_again() {
    LetterMark letter = new LetterMark(route, 3, 4_000_000_000L, 5);

    assertThat(messages.mark(letter, false)).isTrue();
    assertThat(messages.mark(letter, false)).isFalse();
    assertThat(messages.mark(letter, true)).isTrue();
    assertThat(messages.mark(letter, false)).isFalse();
    assertThat(messages.mark(new LetterMark(route, 4, 4_000_000_000L, 5), false)).isTrue();
    assertThat(messages.mark(new LetterMark(messages.route("other"), 3, 4_000_000_000L, 5), false))
        .isTrue();
  }

  @Test
  void a_letter_at_the_same_place_of_a_new_topic_is_another() {
    assertThat(messages.mark(new LetterMark(route, 0, 7, 1_000), false)).isTrue();

    assertThat(messages.mark(new LetterMark(route, 0, 7, 2_000), false)).isTrue();
    assertThat(messages.mark(new LetterMark(route, 0, 7, 2_000), false)).isFalse();
  }

  @Test
  void a_note_that_was_taken_back_counts_no_more() {
    LetterMark letter = new LetterMark(route, 0, 1, 2);
    assertThat(messages.mark(letter, false)).isTrue();

    messages.unmark(letter);
    messages.unmark(letter);

    assertThat(messages.mark(letter, false)).isTrue();
  }

  @Test
  void a_message_is_found_while_it_is_stored() {
    long due = micros(60);
    storeWaiting(message("waits", due));
    MessageId id = new MessageId("waits");

    assertThat(messages.find(route, id)).contains(new StoredMessage(due, null, false));
    List<ClaimedMessage> claimed = messages.claim(all(node));
    assertThat(messages.find(route, id)).contains(new StoredMessage(due, null, true));
    assertThat(messages.delete(claimed)).isEmpty();
    assertThat(messages.find(route, id)).isEmpty();
    assertThat(messages.find(messages.route("other"), id)).isEmpty();
  }

  @Test
  void a_large_value_comes_back_byte_for_byte() {
    byte[] large = new byte[1 << 20];
    for (int i = 0; i < large.length; i++) {
      large[i] = (byte) (i * 31 + (i >> 8));
    }
    storeWaiting(message(route, "large", micros(60), large));

    assertThat(messages.claim(all(node)).getFirst().message().value()).isEqualTo(large);
  }

  @Test // CH-L5
  void due_times_are_exact_to_the_microsecond_from_the_year_0_to_the_year_9999() {
    long[] dues = {
      EpochMicros.MIN, EpochMicros.MIN + 1, -1_000_001, -1, 0, 1, micros(0) | 1, EpochMicros.MAX - 1
    };
    for (long due : dues) {
      storeWaiting(message("due " + due, due));
    }
    storeWaiting(message("last", EpochMicros.MAX));

    List<ClaimedMessage> claimed = messages.claim(until(node, EpochMicros.MAX - 1));

    assertThat(claimed.stream().mapToLong(one -> one.message().dueMicros()))
        .containsExactly(Arrays.stream(dues).boxed().toArray(Long[]::new));
    assertThat(ids(messages.claim(all(node)))).containsExactly("last");
  }

  @Test
  void a_batch_of_thousands_is_one_step() {
    Fence fence = newFence(node);
    List<DelayedMessage> claimed = new ArrayList<>();
    List<DelayedMessage> waiting = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      claimed.add(message("claimed-" + i, micros(2_000 - i)));
      waiting.add(message("waiting-" + i, micros(10_000 + i)));
    }

    IntakeResult.Stored result =
        stored(accept(fence, List.of(new OffsetMove(TOPIC, 0, 0, 4_000)), claimed, waiting));

    assertThat(result.inserted()).hasSize(4_000);
    List<ClaimedMessage> held = messages.readBack(fence);
    assertThat(held)
        .hasSize(2_000)
        .isSortedAccordingTo(Comparator.comparingLong(one -> one.message().dueMicros()));
    assertThat(messages.delete(held)).isEmpty();
    assertThat(messages.readBack(fence)).isEmpty();
  }

  @Test
  void ch14_pending_tells_which_ids_are_waiting_or_ready() {
    RouteId other = messages.route("other");
    storeWaiting(message("waiting", micros(60)), message(other, "elsewhere", micros(60)));
    storeHeld(node, message("ready", micros(5)));
    ClaimedMessage fired = storeHeld(node, message("fired", micros(5)));
    messages.delete(List.of(fired));

    List<MessageId> asked =
        Stream.of("waiting", "ready", "fired", "elsewhere", "never").map(MessageId::new).toList();

    assertThat(messages.pending(route, asked))
        .containsExactlyInAnyOrder(new MessageId("waiting"), new MessageId("ready"));
    assertThat(messages.pending(route, List.of())).isEmpty();
  }

  // Claiming

  @Test // TW-6
  void ch25_a_claim_takes_what_is_due_stamps_it_and_leaves_the_rest() {
    long now = micros(0);
    storeWaiting(message("due", now), message("later", now + 1));
    ClaimRequest request = until(node, now);

    List<ClaimedMessage> claimed = messages.claim(request);

    assertThat(ids(claimed)).containsExactly("due");
    assertThat(claimed.getFirst().fence()).isEqualTo(request.to());
    assertThat(claimed.getFirst().amended()).isFalse();
    assertThat(claimed.getFirst().maybeFired()).isFalse();
    assertThat(messages.readBack(request.to())).hasSize(1);
    assertThat(messages.claim(until(peer, now))).isEmpty();
  }

  @Test
  void a_claim_never_takes_what_somebody_holds() {
    storeHeld(node, message("held", micros(-60)));

    assertThat(messages.claim(all(peer))).isEmpty();
    assertThat(messages.claim(all(node))).isEmpty();
  }

  @Test // CH-B10, TW-L5
  void a_claim_takes_the_earliest_first_and_no_more_than_it_asks_for() {
    for (int i : new int[] {4, 1, 3, 0, 2}) {
      storeWaiting(message("m" + i, micros(-60 + i)));
    }

    assertThat(claimed(2, PLENTY_BYTES, route)).containsExactly("m0", "m1");
    assertThat(claimed(2, PLENTY_BYTES, route)).containsExactly("m2", "m3");
    assertThat(claimed(2, PLENTY_BYTES, route)).containsExactly("m4");
  }

  @Test
  void a_claim_is_bounded_in_bytes_of_payload() {
    for (int i = 0; i < 4; i++) {
      storeWaiting(sized("m" + i, micros(i), 100));
    }

    assertThat(claimed(MANY, 200, route)).containsExactly("m0", "m1");
    assertThat(claimed(MANY, 199, route)).containsExactly("m2");
  }

  @Test
  void headers_key_and_value_count_as_payload_and_null_counts_nothing() {
    byte[] ten = new byte[10];
    MessageId bare = new MessageId("bare");
    TopicName output = new TopicName("topic");
    storeWaiting(
        new DelayedMessage(route, new MessageId("full"), micros(0), null, ten, ten, ten),
        new DelayedMessage(route, bare, micros(1), output, new byte[0], null, null),
        new DelayedMessage(route, new MessageId("more"), micros(2), null, ten, null, null));

    assertThat(claimed(MANY, 30, route)).containsExactly("full", "bare");
  }

  @Test
  void a_claim_takes_at_least_one_message_however_large() {
    storeWaiting(sized("large", micros(0), 5_000), sized("small", micros(1), 1));

    assertThat(claimed(MANY, 10, route)).containsExactly("large");
  }

  @Test
  void a_claim_does_not_jump_over_a_message_that_does_not_fit() {
    storeWaiting(
        sized("first", micros(0), 50),
        sized("large", micros(1), 500),
        sized("small", micros(2), 1));

    assertThat(claimed(MANY, 100, route)).containsExactly("first");
  }

  @Test
  void a_claim_takes_only_the_routes_that_it_names_and_orders_across_them() {
    RouteId second = messages.route("second");
    RouteId third = messages.route("third");
    storeWaiting(
        message(route, "a", micros(3)),
        message(second, "b", micros(1)),
        message(second, "c", micros(4)),
        message(route, "d", micros(2)),
        message(third, "e", micros(0)));

    assertThat(claimed(3, PLENTY_BYTES, route, second)).containsExactly("b", "d", "a");
    assertThat(claimed(3, PLENTY_BYTES, route, second)).containsExactly("c");
    assertThat(messages.claim(claimOf(Set.of(), MANY, PLENTY_BYTES))).isEmpty();
  }

  @Test
  void read_back_finds_exactly_what_carries_the_pair_across_routes() {
    RouteId other = messages.route("other");
    Fence fence = newFence(node);
    storeHeld(fence, message(other, "b", micros(2)));
    storeHeld(fence, message(route, "a", micros(3)));
    storeHeld(newFence(node), message("c", micros(1)));
    storeHeld(new Fence(peer, fence.readiedAtMicros()), message("d", micros(1)));

    assertThat(ids(messages.readBack(fence))).containsExactly("b", "a");
    assertThat(messages.readBack(newFence(node))).isEmpty();
  }

  // Taking over

  @Test // CH-F2
  void a_take_over_moves_what_the_node_holds_to_the_new_pair_in_due_order() {
    storeHeld(node, message("b", micros(2)));
    storeHeld(node, message("a", micros(1)));
    storeHeld(enrolled(), message("others", micros(0)));
    storeWaiting(message("waiting", micros(0)));
    ClaimRequest request = all(peer);

    List<ClaimedMessage> taken = takeOver(node, request);

    assertThat(ids(taken)).containsExactly("a", "b");
    assertThat(taken).allSatisfy(one -> assertThat(one.fence()).isEqualTo(request.to()));
    assertThat(ids(messages.readBack(request.to()))).containsExactly("a", "b");
    assertThat(takeOver(node, all(peer))).isEmpty();
    assertThat(ids(messages.claim(all(peer)))).containsExactly("waiting");
  }

  @Test
  void a_take_over_keeps_to_time_routes_count_and_bytes() {
    RouteId other = messages.route("other");
    storeHeld(node, sized("a", micros(1), 100));
    storeHeld(node, sized("b", micros(2), 100));
    storeHeld(node, sized("c", micros(3), 100));
    storeHeld(node, message(other, "d", micros(0)));

    assertThat(takeOver(node, until(peer, micros(-5)))).isEmpty();
    assertThat(takenOver(1, PLENTY_BYTES, route)).containsExactly("a");
    assertThat(takenOver(MANY, 150, route)).containsExactly("b");
    assertThat(takenOver(MANY, 10, route)).containsExactly("c");
    assertThat(takenOver(MANY, 1, other)).containsExactly("d");
  }

  @Test
  void d7_after_a_take_over_the_old_pair_changes_nothing() {
    ClaimedMessage old = storeHeld(node, message("a", micros(1)));
    ClaimedMessage taken = takeOver(node, all(peer)).getFirst();

    assertThat(messages.delete(List.of(old))).containsExactly(old);
    messages.defer(List.of(old), micros(60));
    assertThat(messages.reset(List.of(suspect(old)))).isEmpty();

    assertThat(messages.readBack(taken.fence())).hasSize(1);
    assertThat(messages.delete(List.of(taken))).isEmpty();
  }

  @Test
  void a_take_over_marks_what_the_old_holder_may_have_sent_until_it_is_deleted() {
    storeHeld(node, message("sent", micros(1)));
    ClaimedMessage unsent = storeHeld(node, message("unsent", micros(600)));

    List<ClaimedMessage> taken = messages.takeOver(node, all(peer), micros(60));

    assertThat(maybeFired(taken)).containsExactly(true, false);
    List<ClaimedMessage> again = messages.takeOver(peer, all(node), Long.MIN_VALUE);
    assertThat(maybeFired(again)).containsExactly(true, false);
    assertThat(maybeFired(messages.readBack(again.getFirst().fence())))
        .containsExactly(true, false);
    messages.defer(again, micros(1));
    assertThat(maybeFired(messages.claim(all(peer)))).contains(true, false);
    assertThat(unsent.maybeFired()).isFalse();
  }

  @Test
  void the_mark_is_set_for_what_is_due_exactly_then() {
    long due = micros(60);
    storeHeld(node, message("a", due));
    storeHeld(node, message("b", due + 1));

    assertThat(maybeFired(messages.takeOver(node, all(peer), due))).containsExactly(true, false);
  }

  @Test
  void a_message_whose_direct_publish_may_have_been_written_is_stored_with_the_mark() {
    Fence fence = newFence(node);
    storeMaybeFired(
        fence,
        List.of(message("held sent", micros(1)), message("held unsent", micros(2))),
        List.of(message("waiting sent", micros(3)), message("waiting unsent", micros(4))),
        "held sent",
        "waiting sent");

    assertThat(maybeFired(messages.readBack(fence))).containsExactly(true, false);
    assertThat(maybeFired(messages.claim(all(peer)))).containsExactly(true, false);
  }

  @Test
  void the_mark_of_a_batch_does_not_reach_a_message_that_was_pending_before() {
    ClaimedMessage before = storeHeld(node, message("a", micros(1)));

    storeMaybeFired(newFence(peer), List.of(), List.of(message("a", micros(5))), "a");

    assertThat(maybeFired(messages.readBack(before.fence()))).containsExactly(false);
  }

  @Test
  void a_newer_message_with_the_same_id_is_not_marked() {
    storeHeld(node, message("again", micros(1)));
    messages.delete(messages.takeOver(node, all(peer), micros(60)));
    ClaimedMessage newer = storeHeld(node, message("again", micros(2)));

    assertThat(maybeFired(messages.readBack(newer.fence()))).containsExactly(false);
  }

  // Deleting

  @Test
  void ch27_ch28_a_delete_removes_what_still_carries_its_pair_and_returns_the_rest() {
    ClaimedMessage here = storeHeld(node, message("here", micros(1)));
    ClaimedMessage moved = storeHeld(node, message("moved", micros(2)));
    messages.reset(List.of(suspect(moved)));
    ClaimedMessage never = new ClaimedMessage(message("never", micros(3)), newFence(node));

    List<ClaimedMessage> gone = messages.delete(List.of(here, moved, never));

    assertThat(ids(gone)).containsExactlyInAnyOrder("moved", "never");
    assertThat(ids(messages.claim(all(peer)))).containsExactly("moved");
    assertThat(messages.delete(List.of(here))).containsExactly(here);
    assertThat(messages.delete(List.of())).isEmpty();
  }

  @Test
  void d7_a_late_delete_never_removes_a_newer_message_with_the_same_id() {
    ClaimedMessage first = storeHeld(node, message("again", micros(1)));
    ClaimedMessage byPeer = takeOver(node, all(peer)).getFirst();
    messages.delete(List.of(byPeer));
    ClaimedMessage newer = storeHeld(node, message("again", micros(9)));

    assertThat(messages.delete(List.of(first))).containsExactly(first);

    assertSame(messages.readBack(newer.fence()).getFirst().message(), newer.message());
  }

  @Test
  void both_halves_of_the_pair_count() {
    ClaimedMessage held = storeHeld(node, message("a", micros(1)));
    long stamp = held.fence().readiedAtMicros();

    for (Fence almost :
        List.of(new Fence(peer, stamp), new Fence(node, stamp - 1), new Fence(node, stamp + 1))) {
      ClaimedMessage wrong = new ClaimedMessage(held.message(), almost);
      assertThat(messages.delete(List.of(wrong))).containsExactly(wrong);
      assertThat(messages.reset(List.of(suspect(wrong)))).isEmpty();
      messages.defer(List.of(wrong), micros(60));
      assertThat(messages.readBack(almost)).isEmpty();
    }

    assertThat(messages.readBack(held.fence())).hasSize(1);
  }

  @Test
  void one_delete_reaches_several_routes_and_pairs() {
    RouteId other = messages.route("other");
    ClaimedMessage a = storeHeld(node, message(route, "same", micros(1)));
    ClaimedMessage b = storeHeld(node, message(other, "same", micros(1)));
    ClaimedMessage wrongRoute = new ClaimedMessage(message(other, "same", micros(1)), a.fence());

    assertThat(messages.delete(List.of(wrongRoute))).containsExactly(wrongRoute);
    assertThat(messages.delete(List.of(a, b))).isEmpty();
    assertThat(takeOver(node, claimOf(Set.of(route, other), MANY, PLENTY_BYTES))).isEmpty();
  }

  // Deferring

  @Test
  void a_deferred_message_waits_until_its_deferral_and_keeps_its_due_time() {
    ClaimedMessage held = storeHeld(node, message("a", micros(1)));

    messages.defer(List.of(held), micros(100));

    assertThat(messages.readBack(held.fence())).isEmpty();
    assertThat(messages.claim(until(peer, micros(90)))).isEmpty();
    List<ClaimedMessage> claimed = messages.claim(until(peer, micros(110)));
    assertThat(ids(claimed)).containsExactly("a");
    assertSame(claimed.getFirst().message(), held.message());
  }

  @Test
  void a_deferral_before_the_due_time_makes_nothing_earlier() {
    ClaimedMessage held = storeHeld(node, message("a", micros(100)));

    messages.defer(List.of(held), micros(1));

    assertThat(messages.claim(until(peer, micros(90)))).isEmpty();
    assertThat(messages.claim(until(peer, micros(110)))).hasSize(1);
  }

  @Test
  void a_deferred_message_does_not_hold_back_the_others() {
    ClaimedMessage held = storeHeld(node, message("deferred", micros(1)));
    storeWaiting(message("next", micros(2)));
    messages.defer(List.of(held), micros(100));

    assertThat(claimed(1, 1, route)).containsExactly("next");
    assertThat(claimed(1, 1, route)).containsExactly("deferred");
  }

  @Test
  void a_deferral_marks_what_may_have_been_fired_and_takes_no_mark_away() {
    ClaimedMessage sent = storeHeld(node, message("sent", micros(1)));
    ClaimedMessage unsent = storeHeld(node, message("unsent", micros(2)));

    messages.defer(List.of(sent.asMaybeFired(), unsent), micros(3));
    List<ClaimedMessage> again = messages.claim(until(peer, micros(10)));
    assertThat(maybeFired(again)).containsExactlyInAnyOrder(true, false);

    messages.defer(
        again.stream().map(one -> new ClaimedMessage(one.message(), one.fence())).toList(),
        micros(4));
    assertThat(maybeFired(messages.claim(until(peer, micros(10)))))
        .containsExactlyInAnyOrder(true, false);
  }

  @Test
  void a_late_deferral_does_not_touch_a_newer_message_with_the_same_id() {
    ClaimedMessage first = storeHeld(node, message("again", micros(1)));
    messages.delete(List.of(first));
    storeWaiting(message("again", micros(2)));

    messages.defer(List.of(first), micros(100));

    assertThat(messages.claim(until(peer, micros(10)))).hasSize(1);
  }

  // The backstop

  @Test // CH-35, CH-B1, TW-12, TW-L2
  void ch31_overheld_is_what_was_held_and_due_longer_ago_than_the_hold_time() {
    long hold = HOLD.toSeconds();
    ClaimedMessage both = storeHeld(stampedAt(-hold - 60), message("both", micros(-hold - 60)));
    storeHeld(stampedAt(-hold + 60), message("held since lately", micros(-hold - 60)));
    storeHeld(stampedAt(-hold - 60), message("due since lately", micros(-hold + 60)));
    storeHeld(stampedAt(-hold - 60), message("due next year", micros(31_536_000)));
    storeHeld(stampedAt(60), message("held by a clock that is ahead", micros(-hold - 60)));
    storeWaiting(message("waiting", micros(-hold - 60)));

    ClaimedMessage old = storeHeld(stampedAt(-400L * 86_400), message("old", EpochMicros.MIN));

    assertThat(messages.overheld(Set.of(route), micros(-HOLD.toSeconds()), MANY))
        .containsExactlyInAnyOrder(suspect(old), suspect(both));

    assertThat(messages.readBack(both.fence())).as("is changed by nothing").hasSize(1);
  }

  @Test
  void overheld_lists_the_routes_asked_for_earliest_due_first_and_up_to_a_limit_per_holder() {
    RouteId other = messages.route("other");
    long old = -HOLD.toSeconds() - 600;
    ClaimedMessage second = storeHeld(newFence(node, old), message("second", micros(old + 2)));
    ClaimedMessage first = storeHeld(newFence(node, old), message("first", micros(old + 1)));
    storeHeld(newFence(node, old), message("third", micros(old + 3)));
    ClaimedMessage peers = storeHeld(newFence(peer, old), message("peers", micros(old + 4)));
    storeHeld(newFence(node, old), message(other, "elsewhere", micros(old)));

    List<LongHeldMessage> suspects = messages.overheld(Set.of(route), micros(-HOLD.toSeconds()), 2);

    assertThat(suspects).containsExactlyInAnyOrder(suspect(first), suspect(second), suspect(peers));
    assertThat(suspects.stream().filter(one -> one.fence().readiedBy().equals(node)))
        .containsExactly(suspect(first), suspect(second));
    assertThat(messages.overheld(Set.of(), micros(0), MANY)).isEmpty();
  }

  @Test // CH-17
  void ch32_a_suspect_whose_pair_is_unchanged_becomes_waiting() {
    ClaimedMessage held = storeHeld(node, message("a", micros(1)));

    assertThat(messages.reset(List.of(suspect(held)))).containsExactly(suspect(held));
    assertThat(messages.reset(List.of(suspect(held)))).as("of two resets one does it").isEmpty();

    assertThat(messages.readBack(held.fence())).isEmpty();
    List<ClaimedMessage> claimed = messages.claim(all(peer));
    assertSame(claimed.getFirst().message(), held.message());
    assertThat(claimed.getFirst().maybeFired()).isTrue();
  }

  @Test // CH-B2
  void ch33_a_suspect_that_has_changed_hands_or_is_gone_stays_as_it_is() {
    ClaimedMessage fired = storeHeld(node, message("fired", micros(1)));
    ClaimedMessage retaken = storeHeld(node, message("retaken", micros(1)));
    ClaimedMessage again = storeHeld(node, message("again", micros(1)));
    List<LongHeldMessage> listed = List.of(suspect(fired), suspect(retaken), suspect(again));
    messages.delete(List.of(fired, again));
    messages.reset(List.of(suspect(retaken)));
    ClaimedMessage inOtherHands = messages.claim(all(peer)).getFirst();
    ClaimedMessage newer = storeHeld(node, message("again", micros(2)));

    assertThat(messages.reset(listed)).isEmpty();

    assertThat(messages.readBack(inOtherHands.fence())).hasSize(1);
    assertThat(messages.readBack(newer.fence())).hasSize(1);
    assertThat(messages.reset(List.of())).isEmpty();
  }

  // Amendments that come with a batch

  @Test
  void amendments_of_a_batch_see_its_messages() {
    Fence fence = newFence(node);

    IntakeResult.Stored result =
        stored(
            accept(
                route,
                fence,
                List.of(new OffsetMove(TOPIC, 0, 0, 5)),
                List.of(message("held", micros(5))),
                List.of(message("waiting", micros(60))),
                toTopic("waiting", new Amendment.Cancel(), 2),
                toTopic("held", new Amendment.Cancel(), 3),
                toTopic("never", new Amendment.Cancel(), 4)));

    assertThat(result.inserted()).hasSize(2);
    assertThat(result.decided())
        .containsExactlyInAnyOrder(AmendmentOutcome.APPLIED, AmendmentOutcome.UNKNOWN_ID);
    assertThat(messages.claim(all(peer))).isEmpty();
    assertThat(messages.readBack(fence))
        .singleElement()
        .satisfies(one -> assertThat(one.amended()).isTrue());
    assertThat(amendments.undecided(node, MANY)).hasSize(1);
  }

  @Test
  void whoever_claims_an_amended_message_is_told_so() {
    ClaimedMessage held = storeHeld(node, message("a", micros(1)));
    cancel("a");

    assertThat(messages.readBack(held.fence()).getFirst().amended()).isTrue();
    assertThat(takeOver(node, all(peer)).getFirst().amended()).isTrue();
    ClaimedMessage taken = takeOver(peer, all(peer)).getFirst();
    assertThat(messages.reset(List.of(suspect(taken)))).hasSize(1);
    assertThat(messages.claim(all(node)).getFirst().amended()).isTrue();
  }

  // Metrics

  @Test
  void the_overview_shows_the_earliest_unclaimed_message_and_undecided_amendments() {
    RouteId other = messages.route("other");
    MessageCounts ofNothing = messages.overview(Set.of(route));
    assertThat(ofNothing.oldestWaitingMicros()).isEmpty();
    assertThat(ofNothing.pendingAmendments()).isZero();
    storeHeld(node, message("held", micros(1)));
    long earliest = micros(50);
    storeWaiting(message("b", micros(60)), message("a", earliest), message(other, "c", micros(40)));
    cancel("held");

    MessageCounts overview = messages.overview(Set.of(route));

    assertThat(overview.stored()).isNotNegative();
    assertThat(overview.oldestWaitingMicros()).hasValue(earliest);
    assertThat(overview.pendingAmendments()).isEqualTo(1);
  }

  @Test
  void the_overview_shows_the_due_time_of_a_deferred_message() {
    long due = micros(1);
    ClaimedMessage held = storeHeld(node, message("deferred", due));
    storeWaiting(message("later", micros(50)));
    messages.defer(List.of(held), micros(100));

    assertThat(messages.overview(Set.of(route)).oldestWaitingMicros()).hasValue(due);
  }

  private IntakeResult accept(
      Fence fence,
      List<OffsetMove> moves,
      List<DelayedMessage> claimed,
      List<DelayedMessage> waiting) {
    return accept(route, fence, moves, claimed, waiting);
  }

  /** Stores a batch in which some of the messages may have been fired before. */
  private void storeMaybeFired(
      Fence fence, List<DelayedMessage> claimed, List<DelayedMessage> waiting, String... fired) {
    Set<MessageId> ids = Stream.of(fired).map(MessageId::new).collect(Collectors.toSet());
    stored(
        messages.accept(
            new IntakeBatch(route, fence, List.of(), claimed, waiting, List.of(), ids)));
  }

  private static List<Boolean> maybeFired(List<ClaimedMessage> claimed) {
    return claimed.stream().map(ClaimedMessage::maybeFired).toList();
  }

  private void move(RouteId of, OffsetMove... moves) {
    stored(accept(of, newFence(node), List.of(moves), List.of(), List.of()));
  }

  private DelayedMessage sized(String id, long dueMicros, int bytes) {
    return new DelayedMessage(
        route, new MessageId(id), dueMicros, null, new byte[0], null, new byte[bytes]);
  }

  private List<String> claimed(int maxMessages, long maxBytes, RouteId... routes) {
    return ids(messages.claim(claimOf(Set.of(routes), maxMessages, maxBytes)));
  }

  private List<String> takenOver(int maxMessages, long maxBytes, RouteId... routes) {
    return ids(takeOver(node, claimOf(Set.of(routes), maxMessages, maxBytes)));
  }

  private ClaimRequest claimOf(Set<RouteId> routes, int maxMessages, long maxBytes) {
    return new ClaimRequest(newFence(peer), routes, EpochMicros.MAX, maxMessages, maxBytes);
  }

  private Fence stampedAt(long secondsFromNow) {
    return new Fence(enrolled(), micros(secondsFromNow));
  }

  private Fence newFence(NodeId by, long secondsFromNow) {
    return new Fence(by, micros(secondsFromNow) + newFence(by).readiedAtMicros() % 1_000);
  }

  @Test
  void a_node_that_holds_messages_is_not_buried() {
    ClaimedMessage held = storeHeld(node, message("a", micros(5)));
    liveness.retire(node);
    liveness.retire(peer);
    stores.letPass(LAPSE.plus(GRACE).plus(GRACE));

    liveness.bury(GRACE);
    assertThat(liveness.departed()).containsExactly(new Departed(node, true));

    messages.delete(List.of(held));
    liveness.bury(GRACE);
    assertThat(liveness.departed()).isEmpty();
  }
}
