package io.kairos.testkit.delay;

import io.kairos.domain.delay.Fence;
import io.kairos.domain.delay.MessageId;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.node.NodeId;
import io.kairos.engine.delay.port.ClaimRequest;
import io.kairos.engine.delay.port.Claimed;
import io.kairos.engine.delay.port.IntakeBatch;
import io.kairos.engine.delay.port.IntakeResult;
import io.kairos.engine.delay.port.MessageStore;
import io.kairos.engine.delay.port.Overview;
import io.kairos.engine.delay.port.Suspect;
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
  public List<Claimed> claim(ClaimRequest request) {
    return next.claim(request);
  }

  @Override
  public List<Claimed> takeOver(NodeId from, ClaimRequest request, long maybeFiredMicros) {
    return next.takeOver(from, request, maybeFiredMicros);
  }

  @Override
  public List<Claimed> readBack(Fence fence) {
    return next.readBack(fence);
  }

  @Override
  public List<Claimed> delete(List<Claimed> fired) {
    return next.delete(fired);
  }

  @Override
  public void defer(List<Claimed> held, long untilMicros) {
    next.defer(held, untilMicros);
  }

  @Override
  public List<Suspect> overheld(Set<RouteId> routes, Duration holdTime, int limit) {
    return next.overheld(routes, holdTime, limit);
  }

  @Override
  public List<Suspect> reset(List<Suspect> suspects) {
    return next.reset(suspects);
  }

  @Override
  public Overview overview(Set<RouteId> routes) {
    return next.overview(routes);
  }
}
