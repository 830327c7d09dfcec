package io.kairos.hashgraph;

import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaId;
import java.util.ArrayList;
import java.util.List;

/** Events of one cluster and graphs of them, for tests. */
abstract class EventsOfAGraph {
  static final ReplicaId CREATOR = new ReplicaId(1);
  static final ReplicaId OTHER = new ReplicaId(2);
  static final ReplicaId THIRD = new ReplicaId(3);

  final EventKeys keys = SimulatedKeys.cheap(4, 1).get(CREATOR.number());
  final HashgraphConfig config =
      new HashgraphConfig(
          new ReplicaId(0),
          new ReplicaGroup(4, ReplicaGroup.Faults.BYZANTINE),
          "cluster",
          SimulatedReplica.PACE,
          SimulatedReplica.BOUNDS);

  List<Event> chain(List<Event> before, int length, long coin) {
    List<Event> chain = new ArrayList<>(before);
    for (int i = 0; i < length; i++) {
      List<Event.Parent> parents =
          chain.isEmpty()
              ? List.of()
              : List.of(new Event.Parent(CREATOR, 1, chain.getLast().hash()));
      Event.Body body =
          new Event.Body(CREATOR, 1, SimulatedReplica.START.plusNanos(i), coin, parents, List.of());
      chain.add(Event.sign(body, "cluster", keys));
    }
    return chain;
  }

  EventGraph graph(List<Event> events) {
    EventGraph graph = new EventGraph(config);
    events.forEach(event -> graph.add(event, 1, !graph.isForker(event.creator())));
    return graph;
  }

  Reconciliation reconciliation(EventGraph graph) {
    return new Reconciliation(config, graph);
  }

  static PeerMessage.Sync asking(List<EventHash> tips) {
    return new PeerMessage.Sync(1, 1, 1, tips);
  }

  Event event(long birthRound, long coin, Event... parents) {
    return event(CREATOR, birthRound, coin, parents);
  }

  Event event(ReplicaId creator, long birthRound, long coin, Event... parents) {
    List<Event.Parent> named =
        List.of(parents).stream()
            .map(each -> new Event.Parent(each.creator(), each.birthRound(), each.hash()))
            .toList();
    Event.Body body =
        new Event.Body(
            creator,
            birthRound,
            SimulatedReplica.START.plusNanos(coin),
            coin,
            named,
            List.of(new byte[1]));
    return Event.sign(body, "cluster", keys);
  }
}
