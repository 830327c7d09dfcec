package io.kairos.engine.delay.port;

import io.kairos.domain.delay.Fence;
import io.kairos.domain.delay.MessageId;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.node.NodeId;
import io.kairos.engine.node.StoreUnavailable;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Stores delayed messages. One message per route and id is stored at a time, waiting or ready.
 * Every method is atomic, and durable when it returns. Every method may throw {@link
 * StoreUnavailable} and may then have taken effect. Thread-safe. No method uses the store's own
 * clock.
 */
public interface MessageStore {
  /** The id of the route with this name; it is equal on all nodes and never changes. */
  RouteId route(String name);

  /**
   * Stored positions of input partitions. Partitions without a stored position are absent, as are
   * all partitions of a topic that is new to the route. Waits for an unfinished {@link #accept}
   * that moves one of them, so that the result is final.
   */
  Map<Integer, Long> positions(RouteId route, TopicId topic, Collection<Integer> partitions);

  /** Stores a batch, all or nothing. */
  IntakeResult accept(IntakeBatch batch);

  /** The ids among these that are stored, for messages that are late on arrival. */
  Set<MessageId> pending(RouteId route, Collection<MessageId> ids);

  /**
   * Claims unclaimed messages, skipping rows that another node is working on. Earliest due first.
   */
  List<ClaimedMessage> claim(ClaimRequest request);

  /**
   * Claims messages that the given node holds, by compare-and-set of the fence, earliest due first.
   * Messages due at or before {@code maybeFiredMicros} are marked as maybe fired, because the old
   * holder may have sent them; the mark stays until they are deleted.
   */
  List<ClaimedMessage> takeOver(NodeId from, ClaimRequest request, long maybeFiredMicros);

  /**
   * All messages with exactly this fence, earliest due first. Shows the effect of a claim with
   * unknown outcome.
   */
  List<ClaimedMessage> readBack(Fence fence);

  /**
   * Deletes fired messages that still have their fence. Waiting amendments of these messages are
   * decided as too late in the same step.
   *
   * @return messages that were no longer stored under their fence
   */
  List<ClaimedMessage> delete(List<ClaimedMessage> fired);

  /**
   * Gives held messages back as waiting, not to be claimed before the given time; the due time
   * stays. Messages marked as maybe fired are marked in the store too. Only rows that still have
   * their fence change.
   */
  void defer(List<ClaimedMessage> held, long untilMicros);

  /**
   * Lists messages that were held and due at this time, at most {@code limit} per holder, earliest
   * due first.
   */
  List<LongHeldMessage> overheld(Set<RouteId> routes, long sinceMicros, int limit);

  /**
   * Resets suspects whose fence is unchanged to waiting, marks them as maybe fired, and returns the
   * reset ones.
   */
  List<LongHeldMessage> reset(List<LongHeldMessage> suspects);

  /**
   * Keeps a record whole for a limited time, beside the messages. Idempotent by its id.
   *
   * @return false when there is no room for it
   */
  boolean keep(KeptLetter letter);

  /** A record that was kept and not removed since. */
  Optional<KeptLetter> kept(UUID id);

  /**
   * Notes that a dead letter is about to be published again. Notes are kept for 30 days.
   *
   * @param again true to note it once more
   * @return false for one that was noted before
   */
  boolean mark(LetterMark letter, boolean again);

  /** Takes a note back: the letter has not been published again. */
  void unmark(LetterMark letter);

  /** A message that is stored; empty when none has this id, any more or ever. */
  Optional<StoredMessage> find(RouteId route, MessageId id);

  MessageCounts overview(Set<RouteId> routes);
}
