package io.kairos.model.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.delay.Fence;
import io.kairos.domain.delay.HeaderCodec;
import io.kairos.domain.delay.MessageHeader;
import io.kairos.domain.delay.MessageId;
import io.kairos.domain.node.NodeId;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.delay.port.IntakeBatch;
import io.kairos.engine.delay.port.OutgoingRecord;
import io.kairos.engine.delay.port.SendCallback;
import io.kairos.engine.delay.port.SendResult;
import io.kairos.engine.delay.setup.DelayConfig;
import io.kairos.model.delay.ForwardingPublisher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Two live nodes, and an output that is dead for much longer than the hold time. */
class DeadOutputTest {
  private static final Duration DEAD_FOR = Duration.ofSeconds(60);
  private static final Duration RECOVERY = Duration.ofSeconds(60);

  private final HandCrankedCluster cluster = new HandCrankedCluster(DelayConfig.defaults());
  private final List<String> submitted = new ArrayList<>();

  @Test
  void ch34_nobody_is_suspected_while_one_partition_is_dead_and_nothing_comes_out_twice() {
    cluster.startNode();
    cluster.startNode();
    cluster.broker.setDead(HandCrankedCluster.OUT, 2, true);

    submitFor(DEAD_FOR);
    assertThat(cluster.published(HandCrankedCluster.OUT, 2)).isEmpty();
    assertThat(cluster.published(HandCrankedCluster.OUT)).hasSizeGreaterThan(1_000);
    assertThat(cluster.suspected).isEmpty();
    cluster.broker.setDead(HandCrankedCluster.OUT, 2, false);
    cluster.time.pass(RECOVERY);

    assertEachCameOutOnce();
  }

  @Test
  void ch34_nobody_is_suspected_while_the_broker_is_away_and_nothing_comes_out_twice() {
    cluster.startNode();
    cluster.startNode();
    submitFor(Duration.ofSeconds(10));
    cluster.broker.setAway(true);

    cluster.time.pass(DEAD_FOR);
    assertThat(cluster.suspected).isEmpty();
    cluster.broker.setAway(false);
    cluster.time.pass(RECOVERY);

    assertEachCameOutOnce();
  }

  @Test
  void law_5_what_goes_to_a_dead_partition_is_tried_ever_more_rarely() {
    cluster.startNode();
    cluster.broker.setDead(HandCrankedCluster.OUT, 2, true);
    for (int i = 0; i < 100; i++) {
      cluster.submit("m" + i, Duration.ofSeconds(1), 2);
    }

    cluster.time.pass(DEAD_FOR.multipliedBy(2));

    assertThat(cluster.deferred).isBetween(100, 1_000); // every three seconds it would be 4,000
  }

  @Test
  void ch34_a_node_whose_own_output_is_away_leaves_the_messages_to_a_peer() {
    cluster.startNode(publisher ->
        new ForwardingPublisher(publisher) {
          @Override
          public void send(OutgoingRecord outgoing, SendCallback callback) {
            if (outgoing.topic().equals(HandCrankedCluster.OUT)) {
              callback.completed(new SendResult.Failed("as a test"));
            } else {
              super.send(outgoing, callback);
            }
          }
        });
    cluster.startNode();
    submitFor(Duration.ofSeconds(20));
    int before = cluster.deferred;
    submitFor(Duration.ofSeconds(20));

    assertThat(cluster.deferred - before).isLessThan(400); // of 800
    cluster.time.pass(RECOVERY);

    assertEachCameOutOnce();
  }

  @Test
  void law_5_a_backlog_of_one_key_is_not_given_back_and_claimed_again_at_full_speed() {
    HandCrankedCluster small = new HandCrankedCluster(TightConfig.of(400, 100));
    NodeId node = small.idOf(small.startNode());
    List<DelayedMessage> backlog = new ArrayList<>();
    for (int i = 0; i < 3_000; i++) {
      backlog.add(
          new DelayedMessage(
              small.route,
              new MessageId("m" + i),
              EpochMicros.of(HandCrank.START),
              null,
              HeaderCodec.encode(List.of(new MessageHeader("name", ("m" + i).getBytes(UTF_8)))),
              small.keyOf(1),
              null));
    }
    small.store.accept(
        new IntakeBatch(
            small.route, new Fence(node, 1), List.of(), List.of(), backlog, List.of(), Set.of()));

    small.time.pass(Duration.ofSeconds(3));

    assertThat(small.deferred).isBetween(100, 2_000); // a batch in every other poll of 3 s
  }

  private void assertEachCameOutOnce() {
    assertThat(cluster.suspected).isEmpty();
    assertThat(cluster.published(HandCrankedCluster.OUT))
        .containsExactlyInAnyOrderElementsOf(submitted);
    assertThat(cluster.store.lookAtAll()).isEmpty();
  }

  private void submitFor(Duration time) {
    for (long tenth = 0; tenth < time.toMillis() / 100; tenth++) {
      for (int partition = 0; partition < 4; partition++) {
        String id = "m" + submitted.size();
        submitted.add(id);
        cluster.submit(id, Duration.ofSeconds(3), partition);
      }
      cluster.time.pass(Duration.ofMillis(100));
    }
  }
}
