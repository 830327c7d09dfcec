package io.kairos.model.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.delay.ControlHeaders;
import io.kairos.domain.delay.HeaderCodec;
import io.kairos.domain.delay.MessageHeader;
import io.kairos.engine.delay.setup.DelayConfig;
import io.kairos.engine.delay.setup.DelayEvents;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Partitions that stop because a dead letter cannot be written. */
final class ParkingTest {
  private static final String SHA256_OF_5000_ZEROS =
      "7ca5bd879f393d9dd05b14f38add9c0fc6b67928f7f2d261b2e47a32ee8219e3";
  private static final Duration PUBLISH_TIMEOUT = DelayConfig.defaults().firing().publishTimeout();

  private final CrankedWorld world = new CrankedWorld();

  @Test // PD-L6
  void a_stopped_partition_goes_on_when_its_dead_letter_can_be_written() {
    world.createTopics("a", 1);
    world.broker.setDead("a-dead", 0, true);
    CrankedNode node = world.node("a").begin();
    world.send("a", "key", ControlHeaders.ID, "bad", ControlHeaders.DELAY, "no length");
    world.send("a", "key", ControlHeaders.ID, "good", ControlHeaders.DELAY, "PT1H");
    node.takeIn("a");
    for (int tries = 0; tries < 3; tries++) {
      node.live(Duration.ofSeconds(6));
      node.takeIn("a");
      assertThat(world.store.lookAtAll()).isEmpty();
    }

    world.broker.setDead("a-dead", 0, false);
    node.live(Duration.ofSeconds(6));
    node.takeIn("a");

    assertThat(world.records("a-dead")).hasSize(1);
    assertThat(world.store.lookAtAll()).hasSize(1);
  }

  @Test
  void a_stopped_partition_that_has_moved_to_another_node_shortens_no_wait_any_more() {
    world.createTopics("a", 2);
    CrankedNode node = world.node("a").begin();
    node.takeIn("a");
    world.setSilent(true);
    sendBad(1);
    assertThat(timeOfIntake(node)).isGreaterThan(PUBLISH_TIMEOUT);
    sendBad(0);
    assertThat(timeOfIntake(node)).isLessThan(PUBLISH_TIMEOUT);

    world.node("a"); // takes partition 1
    world.setSilent(false);
    for (int i = 0; i < 3; i++) {
      node.live(Duration.ofSeconds(6));
      node.takeIn("a");
    }
    world.setSilent(true);
    sendBad(0);

    assertThat(timeOfIntake(node)).isGreaterThan(PUBLISH_TIMEOUT);
  }

  @Test
  void while_a_partition_is_stopped_it_is_tried_again_without_making_others_wait() {
    world.createTopics("a", 1);
    CrankedNode node = world.node("a").begin();
    node.takeIn("a");
    world.setSilent(true);
    sendBad(0);
    node.crank("intake-a");

    node.live(Duration.ofSeconds(6));
    sendBad(0);
    Instant before = world.trueTime();
    node.crank("intake-a");

    assertThat(world.trueTime()).isEqualTo(before);
  }

  @Test
  void a_letter_that_is_acknowledged_late_is_believed_and_not_written_again() {
    world.createTopics("a", 2);
    CrankedNode node = world.node("a").begin();
    node.takeIn("a");
    world.setSilent(true);
    sendBad(0);
    node.crank("intake-a");
    node.live(Duration.ofSeconds(1));
    sendBad(1);
    node.crank("intake-a"); // waits only a little
    node.live(Duration.ofSeconds(1));
    world.setSilent(false);
    world.answer();

    node.takeIn("a").takeIn("a");
    node.live(Duration.ofSeconds(20));
    node.takeIn("a");

    assertThat(world.records("a-dead")).hasSize(2);
  }

  @Test
  void a_letter_that_its_topic_refuses_is_parked_without_its_bytes_and_the_partition_goes_on() {
    world.createTopics("a", 1);
    world.broker.limitRecords("a-dead", 1_000);
    CrankedNode node = world.node("a").begin();
    sendLargeBad();
    world.send("a", "key", ControlHeaders.ID, "good", ControlHeaders.DELAY, "PT1H");

    node.takeIn("a");

    assertThat(
            world.headers(
                "a-dead",
                ControlHeaders.REASON,
                ControlHeaders.ID,
                ControlHeaders.SOURCE_OFFSET,
                ControlHeaders.ORIGINAL_BYTES,
                ControlHeaders.VALUE_SHA256))
        .containsExactly("missing-due-time bad 0 5003 " + SHA256_OF_5000_ZEROS);
    assertThat(world.records("a-dead").getFirst().value()).isNull();
    assertThat(world.store.lookAtAll()).hasSize(1);
  }

  @Test
  void a_letter_without_its_key_says_how_long_the_key_was() {
    world.createTopics("a", 1);
    world.broker.limitRecords("a-dead", 1_000);
    CrankedNode node = world.node("a").begin();
    MessageHeader ofItsProducer = new MessageHeader(ControlHeaders.KEY_BYTES, "9".getBytes(UTF_8));
    world.broker.produce("a-in", 0, 0, new byte[1_025], new byte[0], List.of(ofItsProducer));
    world.broker.produce("a-in", 0, 0, new byte[1], new byte[5_000], List.of(ofItsProducer));

    node.takeIn("a");

    assertThat(world.headers("a-dead", ControlHeaders.KEY_BYTES)).containsExactly("1025", "-");
  }

  @Test
  void a_letter_without_its_bytes_names_the_record_that_the_store_keeps_if_it_may() {
    world.createTopics("a", 1);
    world.broker.limitRecords("a-dead", 1_000);
    CrankedNode node =
        new CrankedNode(world, keepingLettersUpTo(5_003), world.ports(DelayEvents.NONE), "a")
            .begin();
    sendLargeBad();

    node.takeIn("a");

    UUID id = UUID.fromString(world.headers("a-dead", ControlHeaders.KEPT_LETTER).getFirst());
    assertThat(world.store.kept(id))
        .hasValueSatisfying(letter -> {
          assertThat(letter.reason()).startsWith("missing-due-time: ");
          assertThat(letter.value()).isEqualTo(new byte[5_000]);
          assertThat(HeaderCodec.decode(letter.headers())).hasSize(1);
        });
  }

  private static DelayConfig keepingLettersUpTo(int bytes) {
    DelayConfig defaults = DelayConfig.defaults();
    DelayConfig.Intake intake = defaults.intake();
    return new DelayConfig(
        defaults.firing(),
        defaults.claiming(),
        new DelayConfig.Intake(intake.pollTimeout(), intake.maxPayloadBytes(), bytes),
        defaults.liveness(),
        defaults.detection());
  }

  @Test
  void a_stopped_partition_whose_letter_is_refused_later_goes_on_as_well() {
    world.createTopics("a", 1);
    world.broker.limitRecords("a-dead", 1_000);
    world.broker.setDead("a-dead", 0, true);
    CrankedNode node = world.node("a").begin();
    sendLargeBad();
    node.takeIn("a");

    world.broker.setDead("a-dead", 0, false);
    for (int tries = 0; tries < 2; tries++) {
      node.live(Duration.ofSeconds(6));
      node.takeIn("a");
    }

    assertThat(world.records("a-dead")).hasSize(1);
  }

  private void sendLargeBad() {
    world.broker.produce(
        "a-in",
        0,
        0,
        "key".getBytes(UTF_8),
        new byte[5_000],
        List.of(new MessageHeader(ControlHeaders.ID, "bad".getBytes(UTF_8))));
  }

  private void sendBad(int partition) {
    world.broker.produce("a-in", partition, 0, null, null, List.of());
  }

  /** In a life of its own: while it waits, nobody renews it here. */
  private Duration timeOfIntake(CrankedNode node) {
    node.live(Duration.ofSeconds(1));
    Instant before = world.trueTime();
    node.crank("intake-a");
    return Duration.between(before, world.trueTime());
  }
}
