package io.kairos.engine.delay.port;

import io.kairos.domain.delay.Fence;
import io.kairos.domain.delay.MessageId;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.node.NodeId;
import io.kairos.engine.node.StoreUnavailable;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Where messages wait. One message per route and id is stored at a time, waiting or ready. Every
 * method is one atomic step and is durable when it returns; any may throw {@link StoreUnavailable},
 * and then may have taken effect. Thread-safe. The store's own clock is used for {@link #overheld}
 * only.
 */
public interface MessageStore {
  /** The number of the route with this name; the same for every node and for ever. */
  RouteId route(String name);

  /**
   * Stored positions of input partitions; a partition that was never stored is absent, as are all
   * of a topic that is new to the route. Waits for an unfinished {@link #accept} that moves one of
   * them, so that what is read afterwards is final.
   */
  Map<Integer, Long> positions(RouteId route, TopicId topic, Collection<Integer> partitions);

  /** Takes a batch in, all or nothing. */
  IntakeResult accept(IntakeBatch batch);

  /** Which of these ids are waiting or ready: for messages that are late on arrival (CH-14). */
  Set<MessageId> pending(RouteId route, Collection<MessageId> ids);

  /**
   * Claims unclaimed messages (CH-25), skipping rows that another node is working on. Earliest due
   * first.
   */
  List<Claimed> claim(ClaimRequest request);

  /**
   * Claims messages that the given node holds, by compare-and-set from its pairs to the new one.
   * Earliest due first. Those due at or before {@code maybeFiredMicros} are marked as maybe fired,
   * because the old holder may have sent them; the mark stays until they are deleted.
   */
  List<Claimed> takeOver(NodeId from, ClaimRequest request, long maybeFiredMicros);

  /**
   * Everything that carries exactly this pair: what a claim of unknown outcome did. Earliest due
   * first.
   */
  List<Claimed> readBack(Fence fence);

  /**
   * Deletes fired messages that still carry their pair (CH-27). Amendments that waited for one of
   * them are decided as too late in the same step.
   *
   * @return those that were no longer there under their pair (CH-28)
   */
  List<Claimed> delete(List<Claimed> fired);

  /**
   * Gives held messages back as waiting, not to be claimed before the given time; the due time
   * stays. Those that come here marked as maybe fired are marked in the store too. Only rows that
   * still carry their pair change.
   */
  void defer(List<Claimed> held, long untilMicros);

  /**
   * Lists messages for which greatest(readied_at, deadline) + hold time has passed by the store's
   * clock (CH-31), at most {@code limit} per holder, earliest due first.
   */
  List<Suspect> overheld(Set<RouteId> routes, Duration holdTime, int limit);

  /**
   * Resets suspects whose pair is unchanged to waiting (CH-32), marks them as maybe fired, and
   * returns those that it reset.
   */
  List<Suspect> reset(List<Suspect> suspects);

  Overview overview(Set<RouteId> routes);
}
