package io.kairos.testkit.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.kairos.engine.delay.DelayConfig;
import io.kairos.engine.delay.DelayNode;
import io.kairos.engine.delay.port.Outgoing;
import io.kairos.engine.delay.port.Publisher;
import io.kairos.engine.delay.port.SendCallback;
import io.kairos.engine.delay.port.SendResult;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Messages that an output never takes, and publishers that break their word. */
class RefusedOutputTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final HandCrankedCluster cluster = new HandCrankedCluster(DelayConfig.defaults());

  @Test
  void law_5_a_refused_message_blocks_nobody_while_its_dead_letter_cannot_be_written() {
    cluster.startNode();
    cluster.broker.limitRecords(HandCrankedCluster.OUT, 1_000);
    cluster.broker.limitRecords(HandCrankedCluster.DEAD_LETTERS, 1_000);
    cluster.submit("poison", SECOND, cluster.keyOf(1), null, 5_000);
    for (int i = 0; i < 20; i++) {
      cluster.submit("m" + i, SECOND.plusMillis(i), 1);
    }

    cluster.time.pass(Duration.ofSeconds(2));
    assertThat(cluster.published(HandCrankedCluster.OUT)).hasSize(20);
    cluster.time.pass(Duration.ofMinutes(2));
    assertThat(cluster.published(HandCrankedCluster.DEAD_LETTERS)).isEmpty();
    assertThat(cluster.store.lookAtAll()).hasSize(1);
    cluster.broker.limitRecords(HandCrankedCluster.DEAD_LETTERS, 10_000);
    cluster.time.pass(Duration.ofMinutes(1));

    assertThat(cluster.published(HandCrankedCluster.DEAD_LETTERS)).containsExactly("poison");
    assertThat(cluster.store.lookAtAll()).isEmpty();
    assertThat(cluster.suspected).isEmpty();
  }

  @Test
  void what_a_send_throws_out_of_is_sent_again() {
    AtomicInteger sends = new AtomicInteger();
    cluster.startNode(publisher ->
        new Around(publisher) {
          @Override
          public void send(Outgoing outgoing, SendCallback callback) {
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
            new Around(publisher) {
              @Override
              public void send(Outgoing outgoing, SendCallback callback) {
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
        new Around(publisher) {
          @Override
          public void send(Outgoing outgoing, SendCallback callback) {
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

  private static class Around implements Publisher {
    private final Publisher next;

    Around(Publisher next) {
      this.next = next;
    }

    @Override
    public int partitions(String topic) {
      return next.partitions(topic);
    }

    @Override
    public int partitionFor(byte[] key, int partitions) {
      return next.partitionFor(key, partitions);
    }

    @Override
    public void send(Outgoing outgoing, SendCallback callback) {
      next.send(outgoing, callback);
    }
  }
}
