package io.kairos.postgres.delay;

import static io.kairos.postgres.TestDatabase.inParallel;
import static io.kairos.postgres.TestDatabase.sql;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.kairos.domain.delay.Amendment;
import io.kairos.domain.delay.AmendmentOutcome;
import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.delay.Fence;
import io.kairos.domain.delay.MessageId;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.node.NodeId;
import io.kairos.engine.delay.port.AmendRequest;
import io.kairos.engine.delay.port.AmendmentDecision;
import io.kairos.engine.delay.port.AmendmentDecision.Decided;
import io.kairos.engine.delay.port.AmendmentDecision.RowChange;
import io.kairos.engine.delay.port.AmendmentStore;
import io.kairos.engine.delay.port.ClaimRequest;
import io.kairos.engine.delay.port.ClaimedMessage;
import io.kairos.engine.delay.port.IntakeBatch;
import io.kairos.engine.delay.port.IntakeResult;
import io.kairos.engine.delay.port.MessageStore;
import io.kairos.engine.delay.port.OffsetMove;
import io.kairos.engine.delay.port.PendingAmendment;
import io.kairos.engine.delay.port.ReplyTo;
import io.kairos.engine.delay.port.TopicId;
import io.kairos.engine.node.StoreUnavailable;
import io.kairos.postgres.PostgresConfig;
import io.kairos.postgres.PostgresStores;
import io.kairos.postgres.SchemaConfig;
import io.kairos.postgres.TestDatabase;
import io.kairos.postgres.sql.SqlDatabase;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What happens while another transaction is open on the same rows. Most tests run a first step on a
 * connection of their own, leave it uncommitted, start a second step, see it wait, and then commit.
 */
final class ConcurrencyTest {
  private static final TopicId TOPIC = new TopicId(new UUID(7, 7));
  private static final NodeId NODE = new NodeId(new UUID(1, 1));
  private static final NodeId PEER = new NodeId(new UUID(2, 2));
  private static final long DUE = 1_000;
  private static final long PLENTY = 1L << 40;
  private static final int SMALL_POOL = 2;

  private static final TestDatabase DATABASE = TestDatabase.create();
  private static final AtomicLong STAMP = new AtomicLong();

  private static PostgresStores stores;
  private static MessageStore messages;
  private static AmendmentStore amendments;
  private static RouteId route;

  @BeforeAll
  static void open() {
    stores = DATABASE.open();
    messages = stores.messages();
    amendments = stores.amendments();
    route = messages.route("in-to-out");
  }

  @AfterAll
  static void close() {
    stores.close();
  }

  @BeforeEach
  void empty() {
    DATABASE.execute("truncate delayed_message, amendment, node, input_position");
    stores.liveness().enrol(NODE, Duration.ofHours(1));
  }

  // Claiming

  @Test // TW-8, TW-15, TW-L1
  void ch29_several_claimers_never_get_the_same_message_and_leave_none() throws Exception {
    int many = 2_000;
    messages.accept(
        batch(
            List.of(),
            List.of(),
            IntStream.range(0, many).mapToObj(n -> message("m" + n)).toList()));

    Callable<List<String>> claimer =
        () -> {
          List<String> mine = new ArrayList<>();
          for (List<ClaimedMessage> some = claim(50); !some.isEmpty(); some = claim(50)) {
            some.forEach(one -> mine.add(one.message().id().value()));
          }
          return mine;
        };

    List<String> claimed = new ArrayList<>();
    inParallel(4, claimer).forEach(claimed::addAll);

    // A claimer may skip what another has just locked; what is left then is claimed here.
    claim(many).forEach(one -> claimed.add(one.message().id().value()));
    assertThat(claimed).hasSize(many).doesNotHaveDuplicates();
  }

  @Test
  void a_claim_passes_over_what_is_locked_without_waiting() throws Exception {
    accept(message("locked"), message("free"));

    List<ClaimedMessage> claimed =
        DATABASE.during(amending(reschedule("locked", 2_000)), () -> claim(10));

    assertThat(claimed).extracting(one -> one.message().id().value()).containsExactly("free");
  }

  // Accepting

  @Test
  void batches_with_the_same_ids_in_different_orders_wait_for_each_other_one_way_round()
      throws Exception {
    int rounds = 20;
    int threads = 4;
    CyclicBarrier together = new CyclicBarrier(threads);
    AtomicLong inserted = new AtomicLong();

    inParallel(
        threads,
        () -> {
          for (int round = 0; round < rounds; round++) {
            List<DelayedMessage> shuffled = new ArrayList<>();
            for (int n = 0; n < 100; n++) {
              shuffled.add(message("r" + round + "-" + n));
            }
            Collections.shuffle(shuffled);
            together.await();
            IntakeResult result =
                messages.accept(
                    batch(List.of(), shuffled.subList(0, 50), shuffled.subList(50, 100)));
            inserted.addAndGet(((IntakeResult.Stored) result).inserted().size());
          }
          return List.of();
        });

    assertThat(inserted).hasValue(100L * rounds);
    assertThat(DATABASE.number("select count(*) from delayed_message")).isEqualTo(100L * rounds);
  }

  @Test
  void ch12_of_two_batches_with_one_id_the_second_waits_for_the_first_and_finds_it_taken()
      throws Exception {
    IntakeBatch first = batch(List.of(), List.of(), List.of(message("same")));

    IntakeResult second =
        DATABASE.blockedBehind(
            connection -> new MessageIntake().accept(connection, first),
            () -> messages.accept(batch(List.of(), List.of(message("same")), List.of())));

    assertThat(second).isEqualTo(new IntakeResult.Stored(Set.of(), List.of()));
    assertThat(claim(10)).hasSize(1);
  }

  @Test
  void
      a_node_that_has_lost_the_partition_stores_nothing_even_when_it_came_while_the_new_one_stored()
          throws Exception {
    List<OffsetMove> sameMove = List.of(move(0, 10, 20), move(1, 0, 5));
    messages.accept(batch(List.of(move(0, 0, 10), move(1, 0, 0)), List.of(), List.of()));

    IntakeResult zombie =
        DATABASE.blockedBehind(
            moving(sameMove),
            () ->
                messages.accept(
                    batch(
                        List.of(move(0, 10, 20), move(2, 0, 7)),
                        List.of(message("a")),
                        List.of(message("b")))));

    assertThat(zombie).isEqualTo(new IntakeResult.Superseded());
    assertThat(messages.positions(route, TOPIC, Set.of(0, 1, 2))).isEqualTo(Map.of(0, 20L, 1, 5L));
    assertThat(DATABASE.number("select count(*) from delayed_message")).isZero();
  }

  @Test
  void the_same_holds_for_the_first_batch_of_a_partition() throws Exception {
    IntakeResult zombie =
        DATABASE.blockedBehind(
            moving(List.of(move(0, 0, 10))),
            () -> messages.accept(batch(List.of(move(0, 0, 3)), List.of(), List.of())));

    assertThat(zombie).isEqualTo(new IntakeResult.Superseded());
    assertThat(messages.positions(route, TOPIC, Set.of(0))).isEqualTo(Map.of(0, 10L));
  }

  @Test
  void reading_positions_waits_for_a_batch_that_is_being_stored_also_for_the_first()
      throws Exception {
    for (long expected : new long[] {0, 10}) {
      Map<Integer, Long> positions =
          DATABASE.blockedBehind(
              moving(List.of(move(0, expected, expected + 10))),
              () -> messages.positions(route, TOPIC, Set.of(0)));

      assertThat(positions).isEqualTo(Map.of(0, expected + 10));
    }
  }

  // Deleting

  @Test
  void ch_b2_a_late_delete_removes_no_newer_message_that_takes_the_ids_place_meanwhile()
      throws Exception {
    ClaimedMessage first = held("again");
    IntakeBatch again = batch(List.of(), List.of(message("again")), List.of());

    List<ClaimedMessage> missing =
        DATABASE.blockedBehind(
            connection -> {
              deleting(first).on(connection);
              return new MessageIntake().accept(connection, again);
            },
            () -> messages.delete(List.of(first)));

    assertThat(missing).containsExactly(first);
    assertThat(messages.readBack(again.fence())).hasSize(1);
  }

  @Test
  void a_delete_that_waits_for_a_take_over_finds_the_pair_changed() throws Exception {
    ClaimedMessage held = held("a");
    Fence taker = new Fence(PEER, STAMP.incrementAndGet());

    List<ClaimedMessage> missing =
        DATABASE.blockedBehind(
            sql(
                "update delayed_message set readied_by = '%s', readied_at = %d"
                    .formatted(taker.readiedBy().value(), taker.readiedAtMicros())),
            () -> messages.delete(List.of(held)));

    assertThat(missing).containsExactly(held);
    assertThat(messages.readBack(taker)).hasSize(1);
  }

  // Amending

  @Test
  void an_amendment_that_comes_while_its_message_is_being_deleted_is_not_forgotten()
      throws Exception {
    ClaimedMessage held = held("a");
    ClaimedMessage other = held("b");

    List<ClaimedMessage> missing =
        DATABASE.blockedBehind(amending(cancel("a")), () -> messages.delete(List.of(held, other)));

    assertThat(missing).isEmpty();
    assertThat(amendments.outcome(lastNumber())).hasValue(AmendmentOutcome.TOO_LATE);
    assertThat(DATABASE.number("select count(*) from delayed_message")).isZero();
  }

  @Test
  void an_amendment_that_waits_for_a_delete_finds_an_unknown_id() throws Exception {
    ClaimedMessage held = held("a");

    long number = DATABASE.blockedBehind(deleting(held), () -> amendments.request(cancel("a")));

    assertThat(amendments.outcome(number)).hasValue(AmendmentOutcome.UNKNOWN_ID);
  }

  @Test
  void an_amendment_that_comes_while_another_is_being_decided_keeps_its_mark() throws Exception {
    ClaimedMessage held = held("a");
    long first = amendments.request(cancel("a"));

    DATABASE.blockedBehind(
        amending(cancel("a")),
        () ->
            amendments.decide(
                NODE,
                List.of(decision(held, new RowChange.Keep(), first, AmendmentOutcome.TOO_LATE))));

    assertThat(messages.readBack(held.fence()).getFirst().amended()).isTrue();
    assertThat(amendments.undecided(NODE, 10))
        .extracting(PendingAmendment::number)
        .containsExactly(lastNumber());
  }

  @Test
  void an_amendment_that_waits_for_a_decision_sees_what_it_left() throws Exception {
    ClaimedMessage held = held("a");
    long first = amendments.request(reschedule("a", 2_000));
    AmendmentDecision givenBack =
        decision(held, new RowChange.Reschedule(2_000), first, AmendmentOutcome.APPLIED);

    long second =
        DATABASE.blockedBehind(
            connection ->
                AmendmentDecisions.carryOut(
                    connection,
                    NODE,
                    FencePairs.grouped(List.of(givenBack), FencePairs.FencedId::of)),
            () -> amendments.request(reschedule("a", 3_000)));

    assertThat(amendments.outcome(second)).hasValue(AmendmentOutcome.APPLIED);
    assertThat(claim(10).getFirst().message().dueMicros()).isEqualTo(3_000);
  }

  @Test
  void a_decision_to_give_a_message_back_keeps_it_while_another_amendment_waits_for_the_holder()
      throws Exception {
    ClaimedMessage held = held("a");
    long first = amendments.request(reschedule("a", 2_000));

    DATABASE.blockedBehind(
        amending(cancel("a")),
        () ->
            amendments.decide(
                NODE,
                List.of(
                    decision(
                        held, new RowChange.Reschedule(2_000), first, AmendmentOutcome.APPLIED))));

    PendingAmendment left = amendments.undecided(NODE, 10).getFirst();
    assertThat(left.number()).isEqualTo(lastNumber());
    assertThat(left.message().message().dueMicros()).isEqualTo(2_000);
    assertThat(left.message().fence()).isEqualTo(held.fence());
  }

  // Crowds and long waits

  @Test
  void liveness_is_renewed_while_every_other_connection_waits() throws Exception {
    try (PostgresStores crowded = PostgresStores.open(config(SMALL_POOL, Duration.ofSeconds(60)))) {
      crowded.liveness().enrol(NODE, Duration.ofHours(1));
      ClaimedMessage held = held("a");

      try (Connection blocker = DATABASE.connect();
          ExecutorService crowd = Executors.newFixedThreadPool(SMALL_POOL)) {
        blocker.setAutoCommit(false);
        AmendmentIntake.take(blocker, route, null, List.of(reschedule("a", 5)));
        List<Future<?>> waiting = new ArrayList<>();
        for (int i = 0; i < SMALL_POOL; i++) {
          waiting.add(crowd.submit(() -> crowded.messages().defer(List.of(held), 5)));
        }
        DATABASE.awaitLockWaits(SMALL_POOL);

        assertThat(crowded.liveness().renew(NODE)).isPresent();
        assertThatExceptionOfType(StoreUnavailable.class)
            .isThrownBy(() -> crowded.messages().route("x"));

        blocker.rollback();
        for (Future<?> one : waiting) {
          one.get();
        }
      }
    }
  }

  @Test
  void a_statement_that_waits_too_long_is_unavailable_and_leaves_no_trace() throws Exception {
    try (PostgresStores impatient =
        PostgresStores.open(config(SMALL_POOL, Duration.ofSeconds(2)))) {
      accept(message("a"));

      DATABASE.during(
          amending(reschedule("a", 5)),
          () -> {
            assertThatExceptionOfType(StoreUnavailable.class)
                .isThrownBy(() -> impatient.amendments().request(cancel("a")))
                .withMessageContaining("57014");
            return true;
          });

      assertThat(impatient.amendments().request(cancel("a"))).isPositive();
    }
  }

  private static PostgresConfig config(int poolSize, Duration statementTimeout) {
    return new PostgresConfig(
        DATABASE.jdbcUrl(),
        DATABASE.user(),
        DATABASE.password(),
        poolSize,
        statementTimeout,
        Duration.ofSeconds(3),
        false,
        SchemaConfig.defaults());
  }

  private static Fence fence() {
    return new Fence(NODE, STAMP.incrementAndGet());
  }

  private static OffsetMove move(int partition, long expected, long next) {
    return new OffsetMove(TOPIC, partition, expected, next);
  }

  private static SqlDatabase.Work<?> moving(List<OffsetMove> moves) {
    return connection -> InputPositions.move(connection, route, NODE, moves);
  }

  private static SqlDatabase.Work<?> amending(AmendRequest request) {
    return connection -> AmendmentIntake.take(connection, route, null, List.of(request));
  }

  private static SqlDatabase.Work<?> deleting(ClaimedMessage fired) {
    return connection ->
        MessageDeletion.run(
            connection, FencePairs.grouped(List.of(fired), FencePairs.FencedId::of));
  }

  private static DelayedMessage message(String id) {
    return new DelayedMessage(route, new MessageId(id), DUE, null, new byte[0], null, null);
  }

  private static IntakeBatch batch(
      List<OffsetMove> moves, List<DelayedMessage> claimed, List<DelayedMessage> waiting) {
    return new IntakeBatch(route, fence(), moves, claimed, waiting, List.of(), Set.of());
  }

  private static void accept(DelayedMessage... waiting) {
    messages.accept(batch(List.of(), List.of(), Arrays.asList(waiting)));
  }

  private static ClaimedMessage held(String id) {
    IntakeBatch batch = batch(List.of(), List.of(message(id)), List.of());
    messages.accept(batch);
    return new ClaimedMessage(batch.claimed().getFirst(), batch.fence());
  }

  private static List<ClaimedMessage> claim(int atMost) {
    return messages.claim(new ClaimRequest(fence(), Set.of(route), Long.MAX_VALUE, atMost, PLENTY));
  }

  private static AmendRequest cancel(String id) {
    return new AmendRequest(route, new MessageId(id), new Amendment.Cancel(), new ReplyTo.Caller());
  }

  private static AmendRequest reschedule(String id, long due) {
    return new AmendRequest(
        route, new MessageId(id), new Amendment.Reschedule(due), new ReplyTo.Caller());
  }

  private static AmendmentDecision decision(
      ClaimedMessage held, RowChange change, long number, AmendmentOutcome outcome) {
    return new AmendmentDecision(held, change, List.of(new Decided(number, outcome)));
  }

  private static long lastNumber() {
    return DATABASE.number("select max(number) from amendment");
  }
}
