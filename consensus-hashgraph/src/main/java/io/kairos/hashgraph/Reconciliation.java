package io.kairos.hashgraph;

import io.kairos.domain.replica.ReplicaId;
import io.kairos.hashgraph.EventGraph.Node;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds out what another replica lacks: it names some events that it has, as one who fetches from
 * git does, and is sent what descends from none of them.
 */
final class Reconciliation {
  private final EventGraph graph;

  /** Of each replica, the events that it has sent, without children among these. */
  private final List<LinkedHashSet<EventHash>> heldBy;

  Reconciliation(HashgraphConfig config, EventGraph graph) {
    this.graph = graph;
    this.heldBy =
        Stream.generate(() -> new LinkedHashSet<EventHash>())
            .limit(config.cluster().size())
            .toList();
  }

  /** Another replica has sent an event: if that is here, it need not send it again. */
  void sent(EventHash hash, ReplicaId by) {
    Node node = graph.node(hash);
    if (node != null && node.sent(by)) {
      LinkedHashSet<EventHash> held = heldBy.get(by.number());
      graph.parents(node.event()).forEach(parent -> held.remove(parent.event().hash()));
      held.add(hash);
    }
  }

  /** Forgets who has sent what. */
  void clear() {
    heldBy.forEach(LinkedHashSet::clear);
  }

  /**
   * Names by which another replica recognizes what is here: of each creator some events that are
   * ever older, because the other may know none of the latest, what it has sent itself, so that it
   * does not send that again, and the events without children; the latest first.
   */
  List<EventHash> names(ReplicaId to, int most) {
    LinkedHashSet<EventHash> held = heldBy.get(to.number());
    held.removeIf(hash -> !graph.has(hash));
    LinkedHashSet<EventHash> names = new LinkedHashSet<>(graph.sampledByAge());
    held.reversed().stream().limit(most).forEach(names::add);
    names.addAll(graph.tips().reversed());
    return names.stream().limit(most).toList();
  }

  /**
   * The events that a replica lacks and that are not ancient to it, parents before children; the
   * first ones, up to so many and so many bytes. Only backed ones, as this replica vouches for
   * them, and those of one who has forked right before the event that backs them. Costs as much as
   * there are, not as the graph has, because it goes down from the tips of both by generation until
   * only common events are left.
   */
  List<Event> lackedWith(PeerMessage.Sync question, int mostBytes, int most) {
    List<EventHash> tips = graph.tips();
    if (new HashSet<>(question.tips()).containsAll(tips)) {
      return List.of();
    }
    AncestorWalk walk = new AncestorWalk();
    tips.forEach(tip -> walk.meet(graph.node(tip), false));
    question.tips().forEach(tip -> walk.meet(graph.node(tip), true));
    List<Node> lacked = walk.run();
    lacked.removeIf(node -> node.event().birthRound() < question.ancientBelow());
    lacked.sort(EventGraph.ORDER);
    List<Event> sent = new ArrayList<>();
    long bytes = 0;
    for (Node node : lacked) {
      bytes += node.event().size();
      if (bytes > mostBytes || sent.size() == most) {
        break;
      }
      sent.add(node.event());
    }
    return sent;
  }

  /** A walk from children to parents that finds what is not theirs. */
  private final class AncestorWalk {
    private final PriorityQueue<Node> down =
        new PriorityQueue<>(Comparator.comparingLong(Node::generation).reversed());

    /** Those met, and whether they are theirs. */
    private final Map<Node, Boolean> met = new HashMap<>();

    private int oursOnly;

    void meet(@Nullable Node node, boolean isTheirs) {
      if (node == null) {
        return;
      }
      Boolean before = met.get(node);
      if (before == null) {
        met.put(node, isTheirs);
        down.add(node);
        oursOnly += isTheirs ? 0 : 1;
      } else if (isTheirs && !before) {
        met.put(node, true);
        oursOnly--;
      }
    }

    List<Node> run() {
      List<Node> lacked = new ArrayList<>();
      while (oursOnly > 0) {
        Node node = down.remove();
        boolean isTheirs = Boolean.TRUE.equals(met.get(node));
        if (!isTheirs) {
          oursOnly--;
          lacked.add(node);
        }
        graph.parents(node.event()).forEach(parent -> meet(parent, isTheirs));
      }
      return lacked;
    }
  }
}
