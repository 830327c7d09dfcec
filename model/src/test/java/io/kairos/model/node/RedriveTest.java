package io.kairos.model.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.delay.ControlHeaders;
import io.kairos.domain.delay.MessageHeader;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Messages that their output topic will never take. */
final class RedriveTest {
  private final CrankedWorld world = new CrankedWorld();

  @Test
  void a_refused_message_that_is_sent_in_again_goes_to_the_output_topic_that_it_named() {
    world.createTopics("a", 1);
    world.broker.createTopic("a-other", 1);
    world.broker.limitRecords("a-other", 0);
    CrankedNode node = world.node("a").begin();
    world.send(
        "a",
        "key",
        ControlHeaders.ID,
        "x",
        ControlHeaders.DELAY,
        "PT1S",
        ControlHeaders.OUTPUT_TOPIC,
        "a-other");
    node.takeIn("a");
    world.letPass(Duration.ofSeconds(1));
    node.crank("fire", "settle");
    List<MessageHeader> letter = world.records("a-dead").getFirst().headers();

    world.broker.limitRecords("a-other", 1_000);
    world.broker.produce("a-in", 0, world.trueTime().toEpochMilli(), null, null, letter);
    node.takeIn("a");

    assertThat(world.records("a-other")).hasSize(1);
    assertThat(world.records("a-out")).isEmpty();
  }
}
