package io.kairos.model.delay;

import io.kairos.domain.delay.Fence;
import io.kairos.domain.delay.MessageId;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.node.NodeId;
import io.kairos.engine.delay.port.ClaimRequest;
import io.kairos.engine.delay.port.ClaimedMessage;
import io.kairos.engine.delay.port.IntakeBatch;
import io.kairos.engine.delay.port.IntakeResult;
import io.kairos.engine.delay.port.LongHeldMessage;
import io.kairos.engine.delay.port.MessageCounts;
import io.kairos.engine.delay.port.MessageStore;
import io.kairos.engine.delay.port.TopicId;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Passes every call on; a mutant overrides what it breaks. */
public abstract class ForwardingMessageStore implements MessageStore {
  protected final MessageStore next;

  protected ForwardingMessageStore(MessageStore next) {
    this.next = next;
  }

  @Override
  public RouteId route(String name) {
    return next.route(name);
  }

  @Override
  public Map<Integer, Long> positions(
      RouteId route, TopicId topic, Collection<Integer> partitions) {
    return next.positions(route, topic, partitions);
  }

  @Override
  public IntakeResult accept(IntakeBatch batch) {
    return next.accept(batch);
  }

  @Override
  public Set<MessageId> pending(RouteId route, Collection<MessageId> ids) {
    return next.pending(route, ids);
  }

  @Override
  public List<ClaimedMessage> claim(ClaimRequest request) {
    return next.claim(request);
  }

  @Override
  public List<ClaimedMessage> takeOver(NodeId from, ClaimRequest request, long maybeFiredMicros) {
    return next.takeOver(from, request, maybeFiredMicros);
  }

  @Override
  public List<ClaimedMessage> readBack(Fence fence) {
    return next.readBack(fence);
  }

  @Override
  public List<ClaimedMessage> delete(List<ClaimedMessage> fired) {
    return next.delete(fired);
  }

  @Override
  public void defer(List<ClaimedMessage> held, long untilMicros) {
    next.defer(held, untilMicros);
  }

  @Override
  public List<LongHeldMessage> overheld(Set<RouteId> routes, Duration holdTime, int limit) {
    return next.overheld(routes, holdTime, limit);
  }

  @Override
  public List<LongHeldMessage> reset(List<LongHeldMessage> suspects) {
    return next.reset(suspects);
  }

  @Override
  public MessageCounts overview(Set<RouteId> routes) {
    return next.overview(routes);
  }
}
