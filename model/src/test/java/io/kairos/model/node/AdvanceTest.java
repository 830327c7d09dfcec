package io.kairos.model.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.delay.Fence;
import io.kairos.domain.delay.HeaderCodec;
import io.kairos.domain.delay.MessageHeader;
import io.kairos.domain.delay.MessageId;
import io.kairos.domain.task.queue.HandlerName;
import io.kairos.domain.task.queue.MessageOutput;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.delay.DelayNode;
import io.kairos.engine.delay.port.IntakeBatch;
import io.kairos.engine.delay.port.OutgoingRecord;
import io.kairos.engine.delay.port.SendCallback;
import io.kairos.engine.delay.port.SendResult;
import io.kairos.engine.delay.setup.DelayConfig;
import io.kairos.model.delay.ForwardingPublisher;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Inputs of the timing advance on a node whose messages become tasks as well. */
class AdvanceTest {
  private static final HandlerName TASKS = new HandlerName("h");
  private static final Duration STORED_AFTER = Duration.ofMillis(30);
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final int MANY = 30;

  private final HandCrankedCluster cluster = new HandCrankedCluster(DelayConfig.defaults());

  @Test // CH-B4
  void ch36_how_long_tasks_take_to_be_stored_makes_no_message_leave_earlier() {
    cluster.allowedOutputs = Set.of(TASKS);
    List<OutgoingRecord> tasks = new ArrayList<>();
    DelayNode node =
        cluster.startNode(publisher ->
            new ForwardingPublisher(publisher) {
              @Override
              public int partitions(MessageOutput output) {
                return output.equals(TASKS) ? 1 : super.partitions(output);
              }

              @Override
              public void send(OutgoingRecord outgoing, SendCallback callback) {
                if (outgoing.output().equals(TASKS)) {
                  tasks.add(outgoing);
                  cluster.time.completeAfter(
                      STORED_AFTER, () -> callback.completed(SendResult.Acknowledged.INSTANCE));
                } else {
                  super.send(outgoing, callback);
                }
              }
            });
    cluster.store.accept(
        new IntakeBatch(
            cluster.route,
            new Fence(cluster.idOf(node), 1),
            List.of(),
            List.of(),
            taskEachSecond(cluster.time.clock().instant()),
            List.of(),
            Set.of()));

    cluster.time.pass(SECOND.multipliedBy(MANY));

    assertThat(tasks).hasSize(MANY - 1);
    assertThat(node.status().advance()).isZero();
  }

  private List<DelayedMessage> taskEachSecond(Instant start) {
    byte[] headers = HeaderCodec.encode(List.of(new MessageHeader("name", "t".getBytes(UTF_8))));
    List<DelayedMessage> messages = new ArrayList<>();
    for (int i = 1; i < MANY; i++) {
      messages.add(
          new DelayedMessage(
              cluster.route,
              new MessageId("t" + i),
              EpochMicros.of(start.plus(SECOND.multipliedBy(i))),
              TASKS,
              headers,
              null,
              null));
    }
    return messages;
  }
}
