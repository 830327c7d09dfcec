package io.kairos.engine.delay;

import io.kairos.domain.delay.Fence;
import io.kairos.engine.delay.port.Claimed;
import io.kairos.engine.delay.port.MessageStore;
import io.kairos.engine.loop.Wakeup;
import io.kairos.engine.node.Incarnation;
import io.kairos.engine.node.StoreUnavailable;
import io.kairos.engine.time.Monotonic;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;

/**
 * Brings claimed messages into memory, those of claims with unknown outcome too: their fences are
 * remembered, and what the store shows under them is read back until no unfinished statement can
 * still bring more. Shared by the steps that claim.
 */
final class Claims {
  private final NodeContext node;
  private final MessageStore messages;
  private final Wakeup fire;
  private final Wakeup amend;
  private final Monotonic monotonic;
  private final long doubtNanos;
  private final ConcurrentLinkedQueue<Doubt> doubts = new ConcurrentLinkedQueue<>();

  /** Fences of calls that are under way and whose answers may still bring messages. */
  private final Set<Fence> unanswered = ConcurrentHashMap.newKeySet();

  /** Of these: amendments of their messages wait for the answer. */
  private final Set<Fence> awaited = ConcurrentHashMap.newKeySet();

  private record Doubt(Incarnation incarnation, Fence fence, long untilNanos) {}

  Claims(NodeContext node, MessageStore messages, Wakeup fire, Wakeup amend) {
    this.node = node;
    this.messages = messages;
    this.fire = fire;
    this.amend = amend;
    this.monotonic = node.monotonic();
    this.doubtNanos = node.config().detection().unknownOutcomeFor().toNanos();
  }

  /** Claims under this fence and holds what came. */
  List<Claimed> claim(Incarnation incarnation, Fence fence, Supplier<List<Claimed>> claim) {
    asked(fence);
    try {
      List<Claimed> claimed = claim.get();
      hold(incarnation, claimed);
      return claimed;
    } catch (StoreUnavailable e) {
      doubt(incarnation, fence);
      throw e;
    } finally {
      answered(fence);
    }
  }

  /** A call is about to be made whose answer brings messages with this fence. */
  void asked(Fence fence) {
    unanswered.add(fence);
  }

  /** What the call brought is held now, or it failed. */
  void answered(Fence fence) {
    unanswered.remove(fence);
    if (awaited.remove(fence)) {
      amend.signal();
    }
  }

  /**
   * True while an answer with this fence is on its way: the store shows messages as held that are
   * not in memory yet. To decide an amendment of such a message would be in vain, since the answer
   * brings it as it was before. The amend step is woken when the answer has come.
   */
  boolean isUnanswered(Fence fence) {
    if (!unanswered.contains(fence)) {
      return false;
    }
    awaited.add(fence);
    return unanswered.contains(fence) || !awaited.remove(fence);
  }

  void hold(Incarnation incarnation, List<Claimed> claimed) {
    if (node.holding().add(incarnation.id(), claimed)) {
      fire.signal();
    }
    for (Claimed claim : claimed) {
      if (claim.amended()) {
        amend.signal();
        return;
      }
    }
  }

  /** It is not known which messages carry this fence. */
  void doubt(Incarnation incarnation, Fence fence) {
    node.holding().doubt(fence);
    doubts.add(new Doubt(incarnation, fence, monotonic.nanos() + doubtNanos));
  }

  /** Reads back what doubtful claims have brought. */
  void readBack() {
    for (int left = doubts.size(); left > 0; left--) {
      Doubt doubt = doubts.poll();
      if (doubt == null) {
        return;
      }
      if (!doubt.incarnation().mayAct(monotonic.nanos())) {
        node.holding().trust(doubt.fence());
        continue; // that life is over: its messages are taken over, by whomever
      }
      boolean last = monotonic.nanos() - doubt.untilNanos() >= 0;
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
