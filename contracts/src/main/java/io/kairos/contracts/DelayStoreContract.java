package io.kairos.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.delay.Amendment;
import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.delay.Fence;
import io.kairos.domain.delay.MessageId;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.node.NodeId;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.delay.port.AmendRequest;
import io.kairos.engine.delay.port.AmendmentResult;
import io.kairos.engine.delay.port.AmendmentStore;
import io.kairos.engine.delay.port.ClaimRequest;
import io.kairos.engine.delay.port.ClaimedMessage;
import io.kairos.engine.delay.port.IntakeBatch;
import io.kairos.engine.delay.port.IntakeResult;
import io.kairos.engine.delay.port.LongHeldMessage;
import io.kairos.engine.delay.port.MessageStore;
import io.kairos.engine.delay.port.OffsetMove;
import io.kairos.engine.delay.port.ReplyTo;
import io.kairos.engine.delay.port.TopicId;
import io.kairos.engine.node.LivenessStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;

/** Base of the three store suites: a fresh backend for each test, two nodes, and short helpers. */
public abstract class DelayStoreContract {
  protected static final Duration LAPSE = Duration.ofMinutes(10);
  protected static final int MANY = 1_000;
  protected static final TopicId TOPIC = new TopicId(new UUID(7, 7));
  protected static final long PLENTY_BYTES = 1L << 40;
  private static final long ANY_TIME = EpochMicros.MAX;

  private long lastStamp;
  private long lastNode;

  protected DelayStores stores;
  protected MessageStore messages;
  protected AmendmentStore amendments;
  protected LivenessStore liveness;
  protected RouteId route;
  protected NodeId node;
  protected NodeId peer;

  /** Stores on one backend without messages, amendments and nodes. Called before each test. */
  protected abstract DelayStores freshStores();

  @BeforeEach
  void start_fresh() {
    stores = freshStores();
    messages = stores.messages();
    amendments = stores.amendments();
    liveness = stores.liveness();
    route = messages.route("in-to-out");
    lastStamp = micros(0);
    node = enrolled();
    peer = enrolled();
  }

  /** The id of a node that never started; the same ids in every run. */
  protected NodeId newNode() {
    return new NodeId(new UUID(0x6b61_6972_6f73_4000L, 0x8000_0000_0000_0000L | ++lastNode));
  }

  protected NodeId enrolled() {
    NodeId enrolled = newNode();
    liveness.enrol(enrolled, LAPSE);
    return enrolled;
  }

  /** Microseconds since the epoch at that many seconds after the store's now. */
  protected long micros(long secondsFromNow) {
    return EpochMicros.of(stores.now()) + secondsFromNow * 1_000_000;
  }

  /** A fence that was never used before. */
  protected Fence newFence(NodeId by) {
    return new Fence(by, ++lastStamp);
  }

  protected DelayedMessage message(String id, long dueMicros) {
    return message(route, id, dueMicros);
  }

  protected static DelayedMessage message(RouteId route, String id, long dueMicros) {
    return message(route, id, dueMicros, ("value of " + id).getBytes(StandardCharsets.UTF_8));
  }

  protected static DelayedMessage message(RouteId route, String id, long dueMicros, byte[] value) {
    byte[] key = {7, 0, -1};
    return new DelayedMessage(route, new MessageId(id), dueMicros, null, new byte[0], key, value);
  }

  protected void storeWaiting(DelayedMessage... some) {
    for (DelayedMessage one : some) {
      stored(accept(one.route(), newFence(node), List.of(), List.of(), List.of(one)));
    }
  }

  /** Takes in one batch: moves, messages that are claimed and that wait, and amendments. */
  protected IntakeResult accept(
      RouteId of,
      Fence fence,
      List<OffsetMove> moves,
      List<DelayedMessage> claimed,
      List<DelayedMessage> waiting,
      AmendRequest... requests) {
    return messages.accept(
        new IntakeBatch(of, fence, moves, claimed, waiting, List.of(requests), Set.of()));
  }

  /** Stores the message as held from the start, and returns it as its holder knows it. */
  protected ClaimedMessage storeHeld(NodeId holder, DelayedMessage one) {
    return storeHeld(newFence(holder), one);
  }

  protected ClaimedMessage storeHeld(Fence fence, DelayedMessage one) {
    IntakeResult.Stored stored =
        stored(accept(one.route(), fence, List.of(), List.of(one), List.of()));
    assertThat(stored.inserted()).containsExactly(one.id());
    return new ClaimedMessage(one, fence);
  }

  protected static IntakeResult.Stored stored(IntakeResult result) {
    if (result instanceof IntakeResult.Stored stored) {
      return stored;
    }
    throw new AssertionError("expected to be stored, got " + result);
  }

  /** Moves all messages of the node to the peer, as from a node that never sent any. */
  protected List<ClaimedMessage> takeOver(NodeId from, ClaimRequest request) {
    return messages.takeOver(from, request, Long.MIN_VALUE);
  }

  /** A claim of everything that is claimable at any time. */
  protected ClaimRequest all(NodeId by) {
    return until(by, ANY_TIME);
  }

  protected ClaimRequest until(NodeId by, long untilMicros) {
    return new ClaimRequest(newFence(by), Set.of(route), untilMicros, MANY, PLENTY_BYTES);
  }

  protected static List<String> ids(Collection<ClaimedMessage> claimed) {
    return claimed.stream().map(one -> one.message().id().value()).toList();
  }

  protected static LongHeldMessage suspect(ClaimedMessage claimed) {
    return new LongHeldMessage(claimed.message().route(), claimed.message().id(), claimed.fence());
  }

  protected long cancel(String id) {
    return amendments.request(toCaller(id, new Amendment.Cancel()));
  }

  protected long reschedule(String id, long dueMicros) {
    return amendments.request(toCaller(id, new Amendment.Reschedule(dueMicros)));
  }

  protected AmendRequest toCaller(String id, Amendment amendment) {
    return new AmendRequest(route, new MessageId(id), amendment, new ReplyTo.Caller());
  }

  protected AmendRequest toTopic(String id, Amendment amendment, long offset) {
    byte[] key = {9, 0, -9};
    return toTopic(id, amendment, new ReplyTo.ResultsTopic(3, offset, key));
  }

  protected AmendRequest toTopic(String id, Amendment amendment, ReplyTo.ResultsTopic replyTo) {
    return new AmendRequest(route, new MessageId(id), amendment, replyTo);
  }

  protected List<AmendmentResult> untold(NodeId by) {
    return amendments.untold(by, route, 0, MANY);
  }

  /** Takes amendments in from the input topic, on behalf of the node. */
  protected IntakeResult.Stored acceptAmendments(NodeId by, AmendRequest... requests) {
    return stored(accept(route, newFence(by), List.of(), List.of(), List.of(), requests));
  }

  /** Compares the bytes as well: the record's own equality compares arrays by identity. */
  protected static void assertSame(DelayedMessage actual, DelayedMessage expected) {
    assertThat(actual).usingRecursiveComparison().isEqualTo(expected);
  }
}
