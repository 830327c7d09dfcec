package io.kairos.model.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.delay.ControlHeaders;
import io.kairos.domain.delay.HeaderCodec;
import io.kairos.domain.delay.MessageHeader;
import io.kairos.domain.pool.PushRequest;
import io.kairos.domain.task.AttemptOutcome;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.queue.HandlerName;
import io.kairos.domain.task.queue.MessageOutput;
import io.kairos.domain.task.queue.PoolName;
import io.kairos.domain.task.queue.TopicName;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.delay.port.OutgoingRecord;
import io.kairos.engine.delay.port.Publisher;
import io.kairos.engine.delay.port.SendCallback;
import io.kairos.engine.delay.port.SendResult;
import io.kairos.engine.door.TaskDoor;
import io.kairos.engine.task.edge.ClaimedTask;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Messages that become tasks, one each. */
class TaskDoorTest {
  private static final Duration SOON = Duration.ofMillis(50);
  private static final byte[] BINARY = {(byte) 0xc3, 0, -1};

  private final CrankedTasks world = new CrankedTasks();
  private final CrankedTasks.Node node = world.node();
  private final List<String> published = new ArrayList<>();
  private final List<SendResult> results = new ArrayList<>();
  private final TaskDoor door =
      new TaskDoor(new Topics(), world.crank.clock(), Duration.ofDays(7), BINARY.length);

  private final class Topics implements Publisher {
    @Override
    public int partitions(MessageOutput output) {
      return 5;
    }

    @Override
    public int partitionFor(byte[] key, int partitions) {
      return 0;
    }

    @Override
    public void send(OutgoingRecord outgoing, SendCallback callback) {
      published.add(outgoing.topic());
      callback.completed(SendResult.Acknowledged.INSTANCE);
    }
  }

  private static OutgoingRecord message(String source, byte[] value) {
    return message(new HandlerName("h"), source, value);
  }

  private static OutgoingRecord message(MessageOutput output, String source, byte[] value) {
    List<MessageHeader> headers =
        List.of(
            new MessageHeader("own", null),
            new MessageHeader("x-shop", "eu".getBytes(UTF_8)),
            new MessageHeader("host", "elsewhere".getBytes(UTF_8)),
            new MessageHeader(ControlHeaders.PRIORITY, "7".getBytes(UTF_8)),
            new MessageHeader(ControlHeaders.TASK_SOURCE, source.getBytes(UTF_8)));
    return new OutgoingRecord(output, 0, null, value, HeaderCodec.encode(headers));
  }

  private SendResult send(OutgoingRecord outgoing) {
    door.send(outgoing, results::add);
    world.pass(SOON, node);
    return results.getLast();
  }

  @Test
  void what_goes_to_topics_passes_by() {
    door.leadsTo(node.tasks);

    send(new OutgoingRecord(new TopicName("orders"), 3, null, null, new byte[0]));

    assertThat(published).containsExactly("orders");
    assertThat(door.partitions(new TopicName("orders"))).isEqualTo(5);
    assertThat(door.partitions(new HandlerName("h"))).isEqualTo(1);
  }

  @Test
  void a_message_that_is_sent_again_makes_no_second_task_not_even_when_the_first_has_ended() {
    door.leadsTo(node.tasks);
    assertThat(send(message("1-2-3-4", BINARY))).isEqualTo(SendResult.Acknowledged.INSTANCE);
    assertThat(send(message("1-2-3-4", BINARY))).isEqualTo(SendResult.Acknowledged.INSTANCE);

    CrankedTasks.CallAnswer<List<ClaimedTask>> told = node.ask(10, "h");
    world.pass(SOON, node);

    assertThat(told.get()).hasSize(1);
    ClaimedTask work = told.get().getFirst();
    assertThat(work.details().payload()).isEqualTo(BINARY);
    assertThat(work.queue().priority()).isEqualTo(7);
    node.report(work.task(), new AttemptOutcome.Succeeded());
    assertThat(send(message("1-2-3-4", BINARY))).isEqualTo(SendResult.Acknowledged.INSTANCE);
    assertThat(send(message("1-2-4-4", BINARY))).isEqualTo(SendResult.Acknowledged.INSTANCE);
    CrankedTasks.CallAnswer<List<ClaimedTask>> again = node.ask(10, "h");
    world.pass(SOON, node);
    assertThat(again.get()).hasSize(1);
  }

  @Test
  void tasks_of_a_key_are_performed_in_the_order_of_the_messages_due_times() {
    door.leadsTo(node.tasks);
    long now = EpochMicros.of(world.crank.clock().instant());
    send(keyed("1-0-1-1", new byte[] {2}, now - 1_000));
    send(keyed("1-0-2-1", new byte[] {1}, now - 2_000));

    CrankedTasks.CallAnswer<List<ClaimedTask>> told = node.ask(10, "h");
    world.pass(SOON, node);

    ClaimedTask first = told.get().getFirst();
    assertThat(told.get()).hasSize(1);
    assertThat(first.details().payload()).containsExactly(1);
    assertThat(first.details().key()).isEqualTo(new OrderingKey("anna"));
    node.report(first.task(), new AttemptOutcome.Succeeded());
    CrankedTasks.CallAnswer<List<ClaimedTask>> next = node.ask(10, "h");
    world.pass(SOON, node);
    assertThat(next.get().getFirst().details().payload()).containsExactly(2);
  }

  private static OutgoingRecord keyed(String source, byte[] value, long dueMicros) {
    List<MessageHeader> headers =
        List.of(
            new MessageHeader(ControlHeaders.KEY, "anna".getBytes(UTF_8)),
            new MessageHeader(ControlHeaders.TASK_SOURCE, source.getBytes(UTF_8)));
    return new OutgoingRecord(
        new HandlerName("h"), 0, null, value, HeaderCodec.encode(headers), dueMicros);
  }

  @Test
  void what_goes_to_a_pool_is_a_request_with_the_headers_that_it_may_have() {
    door.leadsTo(node.tasks);
    assertThat(send(message(new PoolName("shop"), "1-2-3-4", BINARY)))
        .isEqualTo(SendResult.Acknowledged.INSTANCE);

    CrankedTasks.CallAnswer<List<ClaimedTask>> told = node.ask(10, "pool:shop");
    world.pass(SOON, node);

    PushRequest request = PushRequest.decode(told.get().getFirst().details().payload());
    assertThat(request.method()).isEqualTo("POST");
    assertThat(request.path()).isEqualTo("/");
    assertThat(request.body()).isEqualTo(BINARY);
    assertThat(request.headers()).extracting(MessageHeader::name).containsExactly("x-shop");
  }

  @Test
  void one_whose_outcome_is_unknown_is_tried_again_and_makes_one_task() {
    door.leadsTo(node.tasks);
    world.lose("insert", true);

    assertThat(send(message("1-2-3-4", BINARY))).isInstanceOf(SendResult.Failed.class);
    world.pass(Duration.ofSeconds(2), node);
    assertThat(send(message("1-2-3-4", BINARY))).isEqualTo(SendResult.Acknowledged.INSTANCE);

    CrankedTasks.CallAnswer<List<ClaimedTask>> told = node.ask(10, "h");
    world.pass(Duration.ofSeconds(2), node);
    assertThat(told.get()).hasSize(1);
  }

  @Test
  void nothing_passes_before_the_door_is_open_and_nothing_ever_that_is_too_large() {
    assertThat(send(message("1-2-3-4", BINARY))).isInstanceOf(SendResult.Failed.class);
    door.leadsTo(node.tasks);

    assertThat(send(message("1-2-3-4", new byte[BINARY.length + 1])))
        .isInstanceOf(SendResult.Refused.class);
    assertThat(send(new OutgoingRecord(new HandlerName("h"), 0, null, null, new byte[0])))
        .isInstanceOf(SendResult.Refused.class);
  }
}
