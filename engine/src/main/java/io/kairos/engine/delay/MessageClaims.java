package io.kairos.engine.delay;

import io.kairos.domain.delay.Fence;
import io.kairos.engine.delay.port.ClaimedMessage;
import io.kairos.engine.delay.port.MessageStore;
import io.kairos.engine.loop.Wakeup;
import io.kairos.engine.node.NodeIncarnation;
import io.kairos.engine.node.StoreUnavailable;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;

/**
 * Brings claimed messages into memory. The fence of a claim with unknown outcome is remembered, and
 * messages stored under that fence are read back until no unfinished statement can add more. Shared
 * by the steps that claim; thread-safe.
 */
final class MessageClaims {
  private final DelayContext node;
  private final MessageStore messages;
  private final Wakeup fire;
  private final Wakeup amend;
  private final long doubtNanos;
  private final ConcurrentLinkedQueue<Doubt> doubts = new ConcurrentLinkedQueue<>();

  /** Fences of calls that are under way and whose answers may still bring messages. */
  private final Set<Fence> unanswered = ConcurrentHashMap.newKeySet();

  /** Unanswered fences for which amendments wait. */
  private final Set<Fence> awaited = ConcurrentHashMap.newKeySet();

  private record Doubt(NodeIncarnation incarnation, Fence fence, long untilNanos) {}

  MessageClaims(DelayContext node, MessageStore messages, Wakeup fire, Wakeup amend) {
    this.node = node;
    this.messages = messages;
    this.fire = fire;
    this.amend = amend;
    this.doubtNanos = node.config().detection().unknownOutcomeFor().toNanos();
  }

  /** Makes a claim under this fence and brings the claimed messages into memory. */
  List<ClaimedMessage> claim(
      NodeIncarnation incarnation, Fence fence, Supplier<List<ClaimedMessage>> claim) {
    asked(fence);
    try {
      List<ClaimedMessage> claimed = claim.get();
      hold(incarnation, claimed);
      return claimed;
    } catch (StoreUnavailable e) {
      doubt(incarnation, fence);
      throw e;
    } finally {
      answered(fence);
    }
  }

  /** Notes that a call is about to be made whose answer brings messages with this fence. */
  void asked(Fence fence) {
    unanswered.add(fence);
  }

  /** Notes that the messages of the call are in memory, or that the call failed. */
  void answered(Fence fence) {
    unanswered.remove(fence);
    if (awaited.remove(fence)) {
      amend.signal();
    }
  }

  /**
   * True while a call with this fence is unanswered: the store shows messages as held that are not
   * in memory yet. An amendment of such a message cannot be decided, because the answer brings the
   * message as it was before. The amend step is woken when the answer has come.
   */
  boolean isUnanswered(Fence fence) {
    if (!unanswered.contains(fence)) {
      return false;
    }
    awaited.add(fence);
    return unanswered.contains(fence) || !awaited.remove(fence);
  }

  void hold(NodeIncarnation incarnation, List<ClaimedMessage> claimed) {
    if (node.holding().add(incarnation.id(), claimed)) {
      fire.signal();
    }
    if (claimed.stream().anyMatch(ClaimedMessage::amended)) {
      amend.signal();
    }
  }

  /** Notes that a claim under this fence has an unknown outcome and must be read back. */
  void doubt(NodeIncarnation incarnation, Fence fence) {
    node.holding().doubt(fence);
    doubts.add(new Doubt(incarnation, fence, node.monotonic().nanos() + doubtNanos));
  }

  /** Reads back the messages of claims with unknown outcome. */
  void readBack() {
    for (int left = doubts.size(); left > 0; left--) {
      Doubt doubt = doubts.poll();
      if (doubt == null) {
        return;
      }
      if (!doubt.incarnation().mayAct(node.monotonic().nanos())) {
        node.holding().trust(doubt.fence());
        continue; // that life is over, and its messages are taken over
      }
      boolean last = node.monotonic().nanos() - doubt.untilNanos() >= 0;
      asked(doubt.fence());
      try {
        hold(doubt.incarnation(), messages.readBack(doubt.fence()));
      } catch (StoreUnavailable e) {
        doubts.add(doubt);
        throw e;
      } finally {
        answered(doubt.fence());
      }
      if (last) {
        node.holding().trust(doubt.fence());
      } else {
        doubts.add(doubt);
      }
    }
  }
}
