package io.kairos.engine.delay.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.tuple;

import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.delay.Fence;
import io.kairos.domain.delay.MessageId;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.queue.TopicName;
import io.kairos.engine.delay.memory.MessageHolding.Launch;
import io.kairos.engine.delay.memory.MessageHolding.Withdrawal;
import io.kairos.engine.delay.port.ClaimedMessage;
import io.kairos.engine.delay.port.InputSource;
import io.kairos.engine.delay.port.TopicId;
import io.kairos.engine.delay.setup.DelayConfig;
import io.kairos.engine.delay.setup.Route;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MessageHoldingTest {
  private static final RouteId ROUTE = new RouteId(1);
  static final NodeId ME = new NodeId(new UUID(0, 1));
  private static final Fence FENCE = new Fence(ME, 1);
  private static final long SECOND = 1_000_000_000;

  private final DelayConfig config = config(100, 1 << 20, 1);
  private final MessageHolding holding = holding(config);

  @BeforeEach
  void open() {
    holding.open(ME, 0);
    holding.partitions(new TopicName("out"), 2);
  }

  @Test // TW-1
  void due_messages_are_launched_once_and_in_due_order_per_partition() {
    holding.add(ME, List.of(claimed("b", 20, 0), claimed("a", 10, 0), claimed("later", 99, 0)));

    assertThat(launch(50))
        .extracting(MessageHoldingTest::id)
        .containsExactly("a"); // one byte in flight per lane: one at a time
    assertThat(launch(50)).isEmpty();
  }

  @Test // TW-10
  void a_dead_partition_is_probed_alone_and_never_blocks_the_others() {
    holding.add(
        ME,
        List.of(
            claimed("dead-1", 1, 0),
            claimed("dead-2", 2, 0),
            claimed("alive-1", 1, 1),
            claimed("alive-2", 2, 1)));
    List<Launch> first = launch(50);
    assertThat(first)
        .extracting(MessageHoldingTest::id)
        .containsExactlyInAnyOrder("dead-1", "alive-1");
    first.forEach(launch -> {
      if (launch.lane().partition() == 0) {
        holding.failed(launch, 0);
      } else {
        holding.landed(launch);
      }
    });

    assertThat(launch(50)).extracting(MessageHoldingTest::id).containsExactly("alive-2");
    assertThat(holding.publishableRoutes(SECOND)).containsExactly(ROUTE);
    assertThat(holding.launches(50, 100, SECOND))
        .extracting(MessageHoldingTest::id)
        .containsExactly("dead-1");
    assertThat(holding.launches(50, 100, 2 * SECOND)).isEmpty();
  }

  @Test
  void a_lane_that_is_dead_or_slow_says_so_until_it_takes_messages_in_time() {
    holding.add(ME, List.of(claimed("dead", 1, 0), claimed("next", 2, 0), claimed("slow", 3, 1)));
    assertThat(holding.troubles(50, 0)).isEmpty();
    List<Launch> sent = launch(50);
    holding.add(ME, List.of(claimed("behind", 4, 1)));
    assertThat(launch(50)).isEmpty();
    holding.failed(sent.getFirst(), 0);

    assertThat(holding.troubles(50, 12 * SECOND))
        .extracting(LaneTrouble::partition, LaneTrouble::words, LaneTrouble::queued)
        .containsExactly(tuple(0, "dead for 12 s", 2));
    assertThat(holding.troubles(9_000_050, 12 * SECOND))
        .extracting(LaneTrouble::partition, LaneTrouble::words, LaneTrouble::queued)
        .containsExactlyInAnyOrder(tuple(0, "dead for 12 s", 2), tuple(1, "9 s behind", 1));

    holding.landed(sent.getLast());
    assertThat(launch(50)).extracting(MessageHoldingTest::id).contains("behind");
    assertThat(holding.troubles(9_000_050, 12 * SECOND)).hasSize(1);
  }

  @Test
  void the_oldest_unsent_message_is_that_of_a_dead_partition_also_while_it_is_probed() {
    holding.add(ME, List.of(claimed("dead", 1, 0), claimed("far", 99, 1)));
    Launch dead = launch(50).getFirst();
    holding.failed(dead, 0);
    assertThat(holding.counts().oldestDueMicros()).isEqualTo(1);

    Launch probe = holding.launches(50, 100, SECOND).getFirst();
    assertThat(holding.counts().oldestDueMicros()).isEqualTo(1);

    holding.landed(probe);
    assertThat(holding.counts().oldestDueMicros()).isGreaterThan(50);
  }

  @Test // TW-13
  void ch_b11_a_failed_send_is_tried_again_by_its_holder_and_is_too_late_to_amend() {
    holding.add(ME, List.of(claimed("a", 1, 0)));
    holding.failed(launch(50).getFirst(), 0);

    assertThat(holding.withdraw(claimed("a", 1, 0))).isInstanceOf(Withdrawal.Begun.class);
    assertThat(holding.launches(50, 100, SECOND)).hasSize(1);
  }

  @Test
  void a_route_none_of_whose_partitions_answers_may_not_claim_until_a_probe_is_due() {
    holding.add(ME, List.of(claimed("a", 1, 0), claimed("b", 1, 1)));
    launch(50).forEach(launch -> holding.failed(launch, 0));
    assertThat(holding.publishableRoutes(SECOND)).isEmpty();
    assertThat(holding.probingRoutes(SECOND)).isEmpty(); // the queued messages are the probes

    holding.dropped(List.of(claimed("a", 1, 0), claimed("b", 1, 1)));
    assertThat(holding.probingRoutes(0)).isEmpty();
    assertThat(holding.publishableRoutes(0)).isEmpty();
    assertThat(holding.publishableRoutes(SECOND)).containsExactly(ROUTE);
    assertThat(holding.probingRoutes(SECOND))
        .containsExactly(ROUTE); // nothing left to probe with: claims must go on
  }

  @Test
  void a_message_that_waits_can_be_withdrawn_from_the_wheel_and_from_its_lane() {
    holding.add(
        ME, List.of(claimed("first", 1, 0), claimed("queued", 2, 0), claimed("waiting", 99, 0)));
    launch(50);

    assertThat(holding.withdraw(claimed("queued", 2, 0))).isInstanceOf(Withdrawal.Withdrawn.class);
    assertThat(holding.withdraw(claimed("waiting", 99, 0)))
        .isInstanceOf(Withdrawal.Withdrawn.class);
    assertThat(holding.withdraw(claimed("first", 1, 0))).isInstanceOf(Withdrawal.Begun.class);
    assertThat(holding.withdraw(claimed("waiting", 99, 0))).isInstanceOf(Withdrawal.NotHeld.class);
    assertThat(holding.counts().messages()).isEqualTo(1);
  }

  @Test
  void a_message_held_under_another_fence_is_not_this_one() {
    holding.add(ME, List.of(claimed("a", 1, 0)));

    ClaimedMessage other = new ClaimedMessage(claimed("a", 1, 0).message(), new Fence(ME, 2));
    assertThat(holding.withdraw(other)).isInstanceOf(Withdrawal.NotHeld.class);
  }

  @Test
  void reading_back_a_doubtful_claim_neither_doubles_nor_revives_a_message() {
    ClaimedMessage a = claimed("a", 1, 0);
    holding.doubt(FENCE);
    holding.add(ME, List.of(a));
    holding.add(ME, List.of(a));
    assertThat(holding.counts().messages()).isEqualTo(1);

    holding.landed(launch(50).getFirst());
    holding.released(List.of(a));
    holding.add(ME, List.of(a)); // the store was read before the delete
    assertThat(holding.counts().messages()).isZero();
  }

  @Test
  void what_may_have_been_fired_by_an_earlier_holder_is_too_late_to_amend() {
    ClaimedMessage suspect = new ClaimedMessage(claimed("a", 99, 0).message(), FENCE, false, true);
    holding.add(ME, List.of(suspect));

    assertThat(holding.withdraw(suspect)).isInstanceOf(Withdrawal.Begun.class);
  }

  @Test
  void a_message_with_undecided_amendments_is_left_to_the_amend_step() {
    holding.add(ME, List.of(new ClaimedMessage(claimed("a", 1, 0).message(), FENCE, true, false)));

    assertThat(launch(50)).isEmpty();
  }

  @Test
  void the_end_of_a_life_drops_everything_and_takes_nothing_more_in() {
    holding.add(
        ME, List.of(claimed("flying", 1, 0), claimed("queued", 2, 0), claimed("waiting", 99, 0)));
    Launch flying = launch(50).getFirst();
    holding.close();
    holding.failed(flying, 0);
    holding.add(ME, List.of(claimed("late", 1, 0)));

    assertThat(holding.launches(1_000, 100, SECOND)).isEmpty();
    assertThat(holding.counts()).isEqualTo(new MessageHolding.Counts(0, 0, 0, 0, Long.MAX_VALUE));
  }

  @Test // CH-B10
  void law_8_room_ahead_leaves_a_reserve_for_what_is_due() {
    for (int i = 0; i < 75; i++) {
      holding.add(ME, List.of(claimed("m" + i, 99, 0)));
    }

    assertThat(holding.roomAhead().isEmpty()).isTrue();
    assertThat(holding.roomDue().messages()).isEqualTo(25);
  }

  @Test
  void a_dead_partition_that_would_fill_memory_is_given_back_latest_first() {
    for (int i = 0; i < 40; i++) {
      holding.add(ME, List.of(claimed("m" + i, i, 0)));
    }
    holding.failed(launch(50).getFirst(), 0);

    List<MessageHolding.Overflow> overflow = holding.overflow(1_000, 50, SECOND);

    assertThat(overflow).hasSize(28); // a quarter of 100, shared by two lanes, stays
    assertThat(overflow.getFirst().claimed().message().id().value()).isEqualTo("m39");
    assertThat(overflow.getFirst().awayFor()).isEqualTo(Duration.ofSeconds(2));
  }

  @Test
  void what_has_waited_for_a_dead_partition_for_half_the_hold_time_is_given_back_oldest_first() {
    holding.add(ME, List.of(claimed("sent", 1, 0), claimed("unsent", 2, 0), claimed("up", 2, 1)));
    launch(2)
        .forEach(launch -> {
          if (id(launch).equals("sent")) {
            holding.failed(launch, 0);
          }
        });
    long halfHold = config.detection().holdTime().toNanos() / 1_000 / 2;
    assertThat(holding.overflow(1_000, halfHold, SECOND)).isEmpty();

    List<MessageHolding.Overflow> overflow = holding.overflow(1_000, halfHold + 3, SECOND);

    assertThat(overflow)
        .extracting(one -> one.claimed().message().id().value(), one -> one.claimed().maybeFired())
        .containsExactly(tuple("sent", true), tuple("unsent", false));
    assertThat(holding.launches(50, 100, SECOND)).isEmpty();
  }

  @Test
  void what_found_no_room_has_not_begun_to_fire_and_keeps_its_place() {
    holding.add(ME, List.of(claimed("a", 1, 0), claimed("b", 2, 0)));

    holding.putBack(launch(50).getFirst(), false);

    assertThat(launch(50)).extracting(MessageHoldingTest::id).containsExactly("a");
    assertThat(holding.withdraw(claimed("b", 2, 0))).isInstanceOf(Withdrawal.Withdrawn.class);
  }

  @Test
  void what_found_no_room_after_a_send_without_an_answer_stays_too_late_to_amend() {
    holding.add(ME, List.of(claimed("a", 1, 0), claimed("b", 1, 1)));
    List<Launch> launches = launch(50);
    holding.failed(launches.getFirst(), 0);
    holding.putBack(launches.getLast(), true); // its send threw: who knows
    holding.putBack(holding.launches(50, 100, SECOND).getFirst(), false);

    assertThat(holding.withdraw(claimed("a", 1, 0))).isInstanceOf(Withdrawal.Begun.class);
    assertThat(holding.withdraw(claimed("b", 1, 1))).isInstanceOf(Withdrawal.Begun.class);
  }

  @Test
  void what_is_refused_has_reached_somebody_only_as_a_dead_letter() {
    List<MessageId> ids = List.of(new MessageId("a"));
    holding.add(ME, List.of(claimed("a", 1, 0)));
    Launch launch = launch(50).getFirst();

    holding.refused(launch);
    assertThat(holding.sent(ROUTE, ids)).isEqualTo(new MessageHolding.Sent(true, false));
    holding.parked(launch);
    assertThat(holding.sent(ROUTE, ids)).isEqualTo(new MessageHolding.Sent(true, true));
  }

  @Test
  void what_is_refused_and_could_not_be_parked_is_not_on_its_way_out() {
    holding.add(ME, List.of(claimed("a", 1, 0)));
    Launch launch = launch(50).getFirst();

    holding.refused(launch);
    holding.notParked(launch, Duration.ofSeconds(7));

    assertThat(holding.sent(ROUTE, List.of(new MessageId("a"))).any()).isFalse();
    assertThat(holding.overflow(100, 50, 0))
        .extracting(MessageHolding.Overflow::awayFor)
        .containsExactly(Duration.ofSeconds(7));
  }

  @Test
  void law_5_slow_lanes_give_back_what_leaves_no_room_for_the_others() {
    for (int i = 0; i < 45; i++) {
      holding.add(ME, List.of(claimed("a" + i, i, 0), claimed("b" + i, i, 1)));
    }
    launch(50);

    assertThat(holding.overflow(1_000, 2_000_000, 0)).isEmpty();
    List<MessageHolding.Overflow> overflow = holding.overflow(1_000, 3_000_000, 0);

    assertThat(overflow).hasSize(16); // of 90, until there is room ahead
    assertThat(overflow).allMatch(MessageHolding.Overflow::answers);
  }

  @Test
  void ch34_what_has_waited_for_a_slow_lane_for_two_hold_times_is_given_back_unmarked() {
    holding.add(ME, List.of(claimed("slow", 1, 0), claimed("a", 2, 0), claimed("b", 3, 0)));
    launch(50);
    long twoHolds = 2 * config.detection().holdTime().toNanos() / 1_000;

    List<MessageHolding.Overflow> overflow = holding.overflow(1_000, twoHolds + 3, 0);

    assertThat(overflow)
        .extracting(one -> one.claimed().message().id().value(), one -> one.claimed().maybeFired())
        .containsExactly(tuple("a", false));
  }

  @Test
  void the_more_is_given_back_for_a_dead_partition_the_longer_it_stays_away() {
    MessageHolding large = holding(config(100_000, 64 << 20, 1));
    large.open(ME, 0);
    large.partitions(new TopicName("out"), 2);
    for (int i = 0; i < 20_001; i++) {
      large.add(ME, List.of(claimed("m" + i, 1, 0)));
    }
    large.failed(large.launches(50, 100_000, 0).getFirst(), 0);

    List<MessageHolding.Overflow> overflow = large.overflow(100_000, 10_000_000, SECOND);

    assertThat(overflow).hasSize(20_001);
    assertThat(overflow.getFirst().awayFor()).isEqualTo(Duration.ofSeconds(2));
    assertThat(overflow.getLast().awayFor()).isEqualTo(Duration.ofSeconds(12));
  }

  @Test
  void what_is_on_its_way_back_is_neither_fired_nor_amended_here() {
    ClaimedMessage sent = claimed("sent", 1, 0);
    holding.add(ME, List.of(sent));
    holding.failed(launch(50).getFirst(), 0);
    holding.overflow(1_000, config.detection().holdTime().toNanos(), SECOND);

    holding.add(ME, List.of(sent)); // read back: the store does not know yet
    assertThat(holding.withdraw(sent)).isInstanceOf(Withdrawal.Leaving.class);
    assertThat(holding.launches(50, 100, SECOND)).isEmpty();
    holding.dropped(List.of(sent));
    assertThat(holding.withdraw(sent)).isInstanceOf(Withdrawal.NotHeld.class);
  }

  @Test
  void law_5_a_lane_that_answers_but_is_far_behind_may_have_half_of_the_room() {
    for (int i = 0; i < 80; i++) {
      holding.add(ME, List.of(claimed("m" + i, i, 0)));
    }
    launch(100);

    List<MessageHolding.Overflow> overflow = holding.overflow(1_000, 4_000_001, 0);

    assertThat(overflow).hasSize(29); // one is in flight, half of 100 stay
    assertThat(overflow.getFirst().claimed().message().id().value()).isEqualTo("m79");
    assertThat(overflow.getFirst().awayFor()).isEqualTo(Duration.ofSeconds(2));
  }

  @Test
  void law_5_claims_stop_only_when_every_lane_that_answers_has_enough_to_do() {
    MessageHolding large = holding(config(100_000, 64 << 20, 1));
    large.open(ME, 0);
    large.partitions(new TopicName("out"), 2);
    for (int i = 0; i < 20_000; i++) {
      large.add(ME, List.of(claimed("hot" + i, 1, 0)));
    }
    large.launches(50, 100_000, 0);
    assertThat(large.claimableRoutes()).containsExactly(ROUTE);

    for (int i = 0; i < 10_001; i++) {
      large.add(ME, List.of(claimed("too" + i, 1, 1)));
    }
    large.launches(50, 100_000, 0);
    assertThat(large.claimableRoutes()).isEmpty();
  }

  @Test
  void only_its_own_output_makes_a_route_publishable_for_another_that_answers_it_claims_little() {
    Route route =
        new Route(
            ROUTE,
            "r",
            "in",
            new TopicName("out"),
            Set.of(new TopicName("other")),
            new TopicName("dead"),
            null,
            false,
            false,
            null,
            new NoSource());
    MessageHolding two = new MessageHolding(config, Map.of(ROUTE, route), (key, partitions) -> 0);
    two.open(ME, 0);
    two.partitions(new TopicName("out"), 1);
    two.partitions(new TopicName("other"), 1);
    two.add(ME, List.of(claimed("a", 1, 0), claimed("b", 1, 0)));
    two.failed(two.launches(50, 100, 0).getFirst(), 0);

    assertThat(two.publishableRoutes(SECOND)).isEmpty();
    assertThat(two.claimableRoutes()).isEmpty();
    assertThat(two.probingRoutes(SECOND)).containsExactly(ROUTE);
    assertThat(two.isPublishable(0)).isFalse();
  }

  @Test
  void a_send_that_lands_twice_is_a_broken_invariant() {
    holding.add(ME, List.of(claimed("a", 1, 0)));
    Launch launch = launch(50).getFirst();
    holding.landed(launch);

    assertThatIllegalStateException().isThrownBy(() -> holding.landed(launch));
  }

  @Test
  void messages_for_a_topic_of_unknown_partitions_wait_and_find_their_lane_later() {
    MessageHolding fresh = holding(config);
    fresh.open(ME, 0);
    fresh.add(ME, List.of(claimed("a", 1, 1)));
    assertThat(fresh.launches(50, 100, 0)).isEmpty();
    assertThat(fresh.publishableRoutes(SECOND)).isEmpty();

    fresh.partitions(new TopicName("out"), 2);

    assertThat(fresh.launches(50, 100, 0))
        .singleElement()
        .satisfies(l -> assertThat(l.lane().partition()).isEqualTo(1));
  }

  @Test
  void keyless_direct_publishes_take_turns_on_the_partitions_that_answer() {
    holding.partitions(new TopicName("out"), 4);
    holding.failedDirectly(new TopicName("out"), 1, 0);

    assertThat(
            IntStream.range(0, 4).mapToObj(_ -> holding.openPartition(new TopicName("out"), null)))
        .containsExactly(
            OptionalInt.of(0), OptionalInt.of(2), OptionalInt.of(2), OptionalInt.of(3));
  }

  @Test
  void what_waited_for_a_partition_that_is_gone_finds_another_lane() {
    MessageHolding shrinking =
        new MessageHolding(
            config,
            Map.of(
                ROUTE,
                new Route(
                    ROUTE,
                    "r",
                    "in",
                    new TopicName("out"),
                    Set.of(),
                    new TopicName("dead"),
                    null,
                    false,
                    false,
                    null,
                    new NoSource())),
            (key, partitions) -> key[0] % partitions);
    shrinking.open(ME, 0);
    shrinking.partitions(new TopicName("out"), 2);
    shrinking.add(ME, List.of(claimed("flying", 1, 1), claimed("queued", 2, 1)));
    Launch flying = shrinking.launches(50, 100, 0).getFirst();

    shrinking.partitions(new TopicName("out"), 1);
    shrinking.failed(flying, 0);

    assertThat(shrinking.launches(50, 100, 0))
        .singleElement()
        .satisfies(launch -> assertThat(launch.lane().partition()).isZero());
    assertThat(shrinking.counts().queued()).isEqualTo(1);
  }

  @Test
  void a_stopping_node_launches_nothing_more() {
    holding.add(ME, List.of(claimed("a", 1, 0)));
    holding.stopLaunching();

    assertThat(launch(50)).isEmpty();
    assertThat(holding.nextDueMicros()).isEqualTo(Long.MAX_VALUE);
  }

  private List<Launch> launch(long untilMicros) {
    return holding.launches(untilMicros, 100, 0);
  }

  private static String id(Launch launch) {
    return launch.held().claimed().message().id().value();
  }

  static ClaimedMessage claimed(String id, long dueMicros, int partition) {
    return new ClaimedMessage(
        new DelayedMessage(
            ROUTE,
            new MessageId(id),
            dueMicros,
            null,
            new byte[0],
            new byte[] {(byte) partition},
            null),
        FENCE);
  }

  static MessageHolding holding(DelayConfig config) {
    Route route =
        new Route(
            ROUTE,
            "r",
            "in",
            new TopicName("out"),
            Set.of(),
            new TopicName("dead"),
            null,
            false,
            false,
            null,
            new NoSource());
    return new MessageHolding(config, Map.of(ROUTE, route), (key, partitions) -> key[0]);
  }

  static DelayConfig config(int maxMessages, long maxBytes, long laneBytes) {
    DelayConfig defaults = DelayConfig.defaults();
    DelayConfig.Firing firing = defaults.firing();
    DelayConfig.Claiming claiming = defaults.claiming();
    return new DelayConfig(
        new DelayConfig.Firing(
            firing.advance(),
            firing.publishTimeout(),
            laneBytes,
            firing.settleLinger(),
            firing.settleBatch()),
        new DelayConfig.Claiming(
            claiming.pollInterval(),
            claiming.pollJitter(),
            claiming.horizon(),
            maxMessages,
            maxBytes,
            claiming.batch()),
        defaults.intake(),
        defaults.liveness(),
        defaults.detection());
  }

  private static final class NoSource implements InputSource {
    @Override
    public TopicId topic() {
      throw new UnsupportedOperationException();
    }

    @Override
    public Batch poll(Duration wait) {
      return Batch.EMPTY;
    }

    @Override
    public void position(int partition, OptionalLong stored) {}

    @Override
    public void hold(int partition) {}

    @Override
    public void stored(Map<Integer, Long> next) {}

    @Override
    public void close() {}
  }
}
