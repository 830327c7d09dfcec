package io.kairos.model.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.kairos.domain.delay.ControlHeaders;
import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.delay.Fence;
import io.kairos.domain.delay.MessageHeader;
import io.kairos.domain.delay.MessageId;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.delay.DelayNode;
import io.kairos.engine.delay.port.IntakeBatch;
import io.kairos.engine.delay.port.OutgoingRecord;
import io.kairos.engine.delay.port.SendCallback;
import io.kairos.engine.delay.port.SendResult;
import io.kairos.engine.delay.setup.DelayConfig;
import io.kairos.model.delay.ForwardingPublisher;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Messages that an output never takes, and publishers that break their word. */
class RefusedOutputTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final byte[] UNREADABLE = {1, 2, 3};

  private final HandCrankedCluster cluster = new HandCrankedCluster(DelayConfig.defaults());

  @Test
  void law_5_a_refused_message_blocks_nobody_while_its_dead_letter_cannot_be_written() {
    cluster.startNode();
    cluster.broker.limitRecords(HandCrankedCluster.OUT, 1_000);
    cluster.broker.setDead(HandCrankedCluster.DEAD_LETTERS, 0, true);
    cluster.submit("poison", SECOND, cluster.keyOf(1), null, 5_000);
    for (int i = 0; i < 20; i++) {
      cluster.submit("m" + i, SECOND.plusMillis(i), 1);
    }

    cluster.time.pass(Duration.ofSeconds(2));
    assertThat(cluster.published(HandCrankedCluster.OUT)).hasSize(20);
    cluster.time.pass(Duration.ofMinutes(2));
    assertThat(cluster.published(HandCrankedCluster.DEAD_LETTERS)).isEmpty();
    assertThat(cluster.store.lookAtAll()).hasSize(1);
    cluster.broker.setDead(HandCrankedCluster.DEAD_LETTERS, 0, false);
    cluster.time.pass(Duration.ofMinutes(1));

    assertThat(cluster.published(HandCrankedCluster.DEAD_LETTERS)).containsExactly("poison");
    assertThat(cluster.store.lookAtAll()).isEmpty();
    assertThat(cluster.suspected).isEmpty();
  }

  @Test
  void a_refused_message_whose_dead_letter_is_refused_too_is_parked_without_its_bytes() {
    cluster.startNode();
    cluster.broker.limitRecords(HandCrankedCluster.OUT, 1_000);
    cluster.broker.limitRecords(HandCrankedCluster.DEAD_LETTERS, 1_000);
    cluster.submit("poison", SECOND, cluster.keyOf(1), null, 5_000);

    cluster.time.pass(Duration.ofSeconds(2));

    assertThat(cluster.broker.records(HandCrankedCluster.DEAD_LETTERS, 0))
        .singleElement()
        .satisfies(letter -> {
          assertThat(letter.value()).isNull();
          assertThat(letter.headers())
              .extracting(MessageHeader::name)
              .contains(ControlHeaders.ID, ControlHeaders.REASON, ControlHeaders.ORIGINAL_BYTES);
        });
    assertThat(cluster.store.lookAtAll()).isEmpty();
  }

  @Test
  void law_5_a_message_that_cannot_be_parked_does_not_hold_up_a_route_that_uses_its_id_again() {
    cluster.startNode();
    cluster.broker.limitRecords(HandCrankedCluster.OUT, 1_000);
    cluster.broker.setDead(HandCrankedCluster.DEAD_LETTERS, 0, true);
    cluster.submit("poison", SECOND, cluster.keyOf(1), null, 5_000);
    cluster.time.pass(SECOND.plusMillis(500));

    cluster.submit("poison", SECOND, 1);
    cluster.submit("other", Duration.ZERO, 1);
    cluster.time.pass(Duration.ofMillis(500));

    assertThat(cluster.published(HandCrankedCluster.OUT)).containsExactly("other");
  }

  @Test
  void law_5_a_refused_message_whose_stored_headers_cannot_be_read_is_parked_with_that_reason() {
    DelayNode node =
        cluster.startNode(publisher ->
            new ForwardingPublisher(publisher) {
              @Override
              public void send(OutgoingRecord outgoing, SendCallback callback) {
                if (Arrays.equals(outgoing.headers(), UNREADABLE)) {
                  callback.completed(new SendResult.Refused("as a test"));
                } else {
                  super.send(outgoing, callback);
                }
              }
            });
    long dueMicros = EpochMicros.of(cluster.time.clock().instant());
    cluster.store.accept(
        new IntakeBatch(
            cluster.route,
            new Fence(cluster.idOf(node), 1),
            List.of(),
            List.of(),
            List.of(
                new DelayedMessage(
                    cluster.route, new MessageId("x"), dueMicros, null, UNREADABLE, null, null)),
            List.of(),
            Set.of()));

    cluster.time.pass(SECOND);

    assertThat(cluster.broker.records(HandCrankedCluster.DEAD_LETTERS, 0))
        .singleElement()
        .satisfies(letter ->
            assertThat(letter.headers())
                .filteredOn(header -> header.name().equals(ControlHeaders.REASON_DETAIL))
                .singleElement()
                .satisfies(detail ->
                    assertThat(new String(requireNonNull(detail.value()), UTF_8))
                        .contains("as a test", "headers are left out")));
    assertThat(cluster.store.lookAtAll()).isEmpty();
  }

  @Test
  void a_dead_letter_that_finds_the_publisher_full_is_tried_again_soon() {
    AtomicInteger letters = new AtomicInteger();
    cluster.startNode(publisher ->
        new ForwardingPublisher(publisher) {
          @Override
          public void send(OutgoingRecord outgoing, SendCallback callback) {
            if (outgoing.topic().equals(HandCrankedCluster.DEAD_LETTERS)
                && letters.incrementAndGet() == 1) {
              callback.completed(new SendResult.NoRoom("as a test"));
            } else {
              super.send(outgoing, callback);
            }
          }
        });
    cluster.broker.limitRecords(HandCrankedCluster.OUT, 1_000);
    cluster.submit("poison", SECOND, cluster.keyOf(1), null, 5_000);

    cluster.time.pass(Duration.ofSeconds(4));

    assertThat(cluster.published(HandCrankedCluster.DEAD_LETTERS)).containsExactly("poison");
  }

  @Test
  void what_found_no_room_is_not_overtaken_by_the_rest_of_its_lane() {
    AtomicInteger sends = new AtomicInteger();
    cluster.startNode(publisher ->
        new ForwardingPublisher(publisher) {
          @Override
          public void send(OutgoingRecord outgoing, SendCallback callback) {
            if (sends.incrementAndGet() == 2) {
              callback.completed(new SendResult.NoRoom("as a test"));
            } else {
              super.send(outgoing, callback);
            }
          }
        });
    for (int i = 0; i < 5; i++) {
      cluster.submit("m" + i, SECOND.plusNanos(1_000L * i), 1);
    }

    cluster.time.pass(Duration.ofSeconds(2));

    assertThat(cluster.published(HandCrankedCluster.OUT))
        .containsExactly("m0", "m1", "m2", "m3", "m4");
  }

  @Test
  void what_a_send_throws_out_of_is_sent_again() {
    AtomicInteger sends = new AtomicInteger();
    cluster.startNode(publisher ->
        new ForwardingPublisher(publisher) {
          @Override
          public void send(OutgoingRecord outgoing, SendCallback callback) {
            if (sends.incrementAndGet() == 1) {
              throw new UnsupportedOperationException("as a test");
            }
            super.send(outgoing, callback);
          }
        });
    cluster.submit("a", SECOND, 0);

    cluster.time.pass(Duration.ofSeconds(2));

    assertThat(cluster.published(HandCrankedCluster.OUT)).isEqualTo(List.of("a"));
  }

  @Test
  void law_5_a_full_publisher_makes_no_partition_look_dead() {
    AtomicInteger sends = new AtomicInteger();
    DelayNode node =
        cluster.startNode(publisher ->
            new ForwardingPublisher(publisher) {
              @Override
              public void send(OutgoingRecord outgoing, SendCallback callback) {
                if (sends.incrementAndGet() <= 3) {
                  callback.completed(new SendResult.NoRoom("as a test"));
                } else {
                  super.send(outgoing, callback);
                }
              }
            });
    cluster.submit("a", SECOND, 0);
    cluster.submit("b", SECOND, 1);

    cluster.time.pass(Duration.ofSeconds(3));

    assertThat(node.status().publishable()).isTrue();
    assertThat(sends).hasValue(5);
    assertThat(cluster.published(HandCrankedCluster.OUT)).containsExactly("a", "b");
  }

  @Test
  void a_broken_invariant_in_a_completion_ends_the_fire_loop_though_the_publisher_swallows_it() {
    cluster.startNode(publisher ->
        new ForwardingPublisher(publisher) {
          @Override
          public void send(OutgoingRecord outgoing, SendCallback callback) {
            super.send(
                outgoing,
                result -> {
                  callback.completed(result);
                  callback.completed(result);
                });
          }
        });
    cluster.submit("a", SECOND, 0);

    assertThatIllegalStateException()
        .isThrownBy(() -> cluster.time.pass(Duration.ofSeconds(2)))
        .withStackTraceContaining("landed twice");
  }
}
