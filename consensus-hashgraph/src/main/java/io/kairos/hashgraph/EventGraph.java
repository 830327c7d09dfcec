package io.kairos.hashgraph;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.replica.ReplicaId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The accepted events that are still needed: by the engine, by replicas that are behind, or as
 * parents. Every event comes after its parents. Also knows the last event of each creator, and who
 * has made two events where only one may be: a fork.
 */
final class EventGraph {
  /** Memory that an event takes beside its bytes, roughly. */
  static final int EVENT_OVERHEAD = 1_024;

  /** What a request costs beside its bytes, in memory and in being executed, roughly. */
  static final int REQUEST_OVERHEAD = 256;

  private final HashgraphConfig config;
  private final Map<EventHash, Node> nodes = new HashMap<>();

  /** In the order of their coming, by the round of their birth. */
  private final TreeMap<Long, List<Node>> byBirth = new TreeMap<>();

  /** Events without children here. */
  private final LinkedHashSet<EventHash> tips = new LinkedHashSet<>();

  private final Creator[] creators;
  private long added;
  private long walks;
  private int undecided;

  /** An accepted event. */
  static final class Node {
    final Event event;

    /** Greater than those of its parents. */
    final long generation;

    private final long number;
    private final Chain chain;

    /** The generation of the latest event of this replica among its ancestors, or its own. */
    private long seenOwn;

    private boolean isDecided;

    /** The last event of each other creator that the chain of this one's has named. */
    private Event.@Nullable Parent[] named = {};

    /** In the last walk that met it. */
    private long metIn;

    private boolean isTheirs;

    private Node(Event event, long generation, long number, Chain chain) {
      this.event = event;
      this.generation = generation;
      this.number = number;
      this.chain = chain;
    }
  }

  /**
   * Events of one creator with one birth round, up to one of them.
   *
   * @param bytes with what events and requests cost beside
   */
  record Chain(int events, long bytes) {
    static final Chain NONE = new Chain(0, 0);

    private Chain with(Event event) {
      long cost = event.heldBytes() + (long) REQUEST_OVERHEAD * event.body().requests().size();
      return new Chain(events + 1, bytes + cost);
    }
  }

  /** The chain of a replica; of one who forked, all its events, and the one that came last. */
  private static final class Creator {
    private Event.@Nullable Parent head;
    private final List<Node> events = new ArrayList<>();
    private boolean isForker;

    /** True when the head is no ancestor of this replica's last event. */
    private boolean isFresh;
  }

  EventGraph(HashgraphConfig config) {
    this.config = config;
    this.creators = new Creator[config.cluster().size()];
    for (int i = 0; i < creators.length; i++) {
      creators[i] = new Creator();
    }
  }

  private Creator of(ReplicaId creator) {
    return creators[creator.number()];
  }

  boolean has(EventHash hash) {
    return nodes.containsKey(hash);
  }

  int size() {
    return nodes.size();
  }

  /** Number of events with requests that are neither ordered nor given up. */
  int undecided() {
    return undecided;
  }

  boolean isForker(ReplicaId creator) {
    return of(creator).isForker;
  }

  /** A replica is known to have forked, by events that may be gone; it is never forgotten again. */
  void forked(ReplicaId creator) {
    of(creator).isForker = true;
  }

  List<ReplicaId> forkers() {
    return config.cluster().replicas().stream().filter(this::isForker).toList();
  }

  /**
   * Checks what an event says of its parents, as far as they are known and count; empty when it can
   * be accepted. An event that is refused may be accepted later, when the parent has become
   * ancient, as it is accepted by replicas for which the parent is ancient already: they are ahead,
   * and no event that this replica needs to get there descends from this one.
   */
  Optional<Occurrence> disagreement(Event event, long ancientBelow) {
    Node selfParent = null;
    for (Event.Parent parent : event.body().parents()) {
      Node known = parent.birthRound() < ancientBelow ? null : nodes.get(parent.hash());
      if (known == null) {
        continue;
      }
      boolean isSame =
          known.event.birthRound() == parent.birthRound()
              && known.event.creator().equals(parent.creator());
      boolean isSelf = parent.creator().equals(event.creator());
      if (!isSame || (isSelf && !event.body().created().isAfter(known.event.body().created()))) {
        return Optional.of(Occurrence.PARENT_MISMATCH);
      }
      selfParent = isSelf ? known : selfParent;
    }
    if (namesTwoChains(event, selfParent, ancientBelow)) {
      return Optional.of(Occurrence.PARENT_MISMATCH);
    }
    return chain(event, selfParent).bytes() > config.bounds().roundBytes()
        ? Optional.of(Occurrence.OVER_BUDGET)
        : Optional.empty();
  }

  /**
   * True when the creator's chain names events of another one that do not follow each other, as
   * long as they are not ancient: with as many chains as a forker makes, an accomplice could have
   * all of them needed. Who tells the truth names one chain, since it names nobody whom it knows to
   * have forked.
   */
  private boolean namesTwoChains(Event event, @Nullable Node selfParent, long ancientBelow) {
    if (selfParent == null) {
      return false;
    }
    for (Event.Parent parent : event.body().parents()) {
      Event.Parent before = selfParent.named[parent.creator().number()];
      Node node = parent.birthRound() < ancientBelow ? null : nodes.get(parent.hash());
      if (before != null
          && node != null
          && before.birthRound() >= ancientBelow
          && !parent.creator().equals(event.creator())
          && !follows(node, before)) {
        return true;
      }
    }
    return false;
  }

  /** Whether an event is this one of its creator, or comes after it in its creator's chain. */
  private boolean follows(Node event, Event.Parent earlier) {
    Node at = event;
    while (at != null && at.event.birthRound() >= earlier.birthRound()) {
      if (at.event.hash().equals(earlier.hash())) {
        return true;
      }
      at = at.event.selfParent().map(each -> nodes.get(each.hash())).orElse(null);
    }
    return false;
  }

  /** True when all parents that are not ancient are here. */
  boolean hasParents(Event event, long ancientBelow) {
    for (Event.Parent parent : event.body().parents()) {
      if (parent.birthRound() >= ancientBelow && !has(parent.hash())) {
        return false;
      }
    }
    return true;
  }

  private static Chain chain(Event event, @Nullable Node selfParent) {
    boolean isLonger = selfParent != null && selfParent.event.birthRound() == event.birthRound();
    return (isLonger ? requireNonNull(selfParent).chain : Chain.NONE).with(event);
  }

  /** The events of this replica that were born in a round. */
  Chain ownChain(long birthRound) {
    Node node = head(of(config.self()));
    return node == null || node.event.birthRound() != birthRound ? Chain.NONE : node.chain;
  }

  private @Nullable Node head(Creator creator) {
    Event.Parent head = creator.head;
    return head == null ? null : nodes.get(head.hash());
  }

  /** Adds an event, all of whose parents that are not ancient are here. */
  Node add(Event event, long ancientBelow) {
    long above = 0;
    long seenOwn = 0;
    Node selfParent = null;
    for (Event.Parent parent : event.body().parents()) {
      Node known = nodes.get(parent.hash());
      if (known != null) {
        above = Math.max(above, known.generation);
        seenOwn = Math.max(seenOwn, known.seenOwn);
        if (parent.creator().equals(event.creator())) {
          selfParent = known;
        }
        tips.remove(parent.hash());
      }
    }
    Node node = new Node(event, above + 1, ++added, chain(event, selfParent));
    node.seenOwn = event.creator().equals(config.self()) ? node.generation : seenOwn;
    node.named =
        selfParent == null
            ? new Event.Parent[creators.length]
            : Arrays.copyOf(selfParent.named, creators.length);
    for (Event.Parent parent : event.body().parents()) {
      node.named[parent.creator().number()] = parent;
    }
    node.isDecided = event.body().requests().isEmpty();
    undecided += node.isDecided ? 0 : 1;
    nodes.put(event.hash(), node);
    byBirth.computeIfAbsent(event.birthRound(), _ -> new ArrayList<>()).add(node);
    tips.add(event.hash());
    of(event.creator()).events.add(node);
    follow(event, ancientBelow);
    return node;
  }

  private void follow(Event event, long ancientBelow) {
    Creator creator = of(event.creator());
    Event.Parent head = creator.head;
    boolean follows =
        head == null
            || event.selfParent().filter(parent -> parent.hash().equals(head.hash())).isPresent();
    // One who has lost its memory begins again after all that it can have made is ancient.
    boolean begins =
        head != null
            && head.birthRound() < ancientBelow
            && event.selfParent().filter(each -> each.birthRound() >= ancientBelow).isEmpty();
    if (!follows && !begins) {
      creator.isForker = true;
    }
    creator.head = parent(event);
    if (event.creator().equals(config.self())) {
      event
          .body()
          .parents()
          .forEach(parent -> {
            Creator of = of(parent.creator());
            if (of.head != null && of.head.hash().equals(parent.hash())) {
              of.isFresh = false;
            }
          });
    } else {
      creator.isFresh = true;
    }
  }

  private static Event.Parent parent(Event event) {
    return new Event.Parent(event.creator(), event.birthRound(), event.hash());
  }

  /**
   * Last events of others that this replica's last event does not descend from, and which it may
   * name as parents. One who forked is named by nobody who knows it.
   */
  List<Event.Parent> freshHeads() {
    List<Event.Parent> fresh = new ArrayList<>();
    for (Creator creator : creators) {
      Node head = head(creator);
      if (creator.isFresh && !creator.isForker && head != null) {
        fresh.add(parent(head.event));
      }
    }
    return fresh;
  }

  /**
   * How many of these events descend from this replica's last one, or from the one before it if any
   * descends from the last: two replicas that make events at the same moment each build on the one
   * before of the other.
   */
  int afterOwn(List<Event.Parent> events) {
    Node own = head(of(config.self()));
    if (own == null) {
      return events.size();
    }
    Node before = own.event.selfParent().map(each -> nodes.get(each.hash())).orElse(null);
    int afterLast = 0;
    int afterEither = 0;
    for (Event.Parent event : events) {
      Node node = nodes.get(event.hash());
      long seen = node == null ? 0 : node.seenOwn;
      afterLast += seen == own.generation ? 1 : 0;
      afterEither += seen >= (before == null ? own : before).generation ? 1 : 0;
    }
    return afterLast == 0 ? 0 : afterEither;
  }

  /** An event was ordered, or never will be. */
  Optional<Event> decided(EventHash hash) {
    Node node = nodes.get(hash);
    if (node == null) {
      return Optional.empty();
    }
    decided(node);
    return Optional.of(node.event);
  }

  private void decided(Node node) {
    undecided -= node.isDecided ? 0 : 1;
    node.isDecided = true;
  }

  /** Forgets the events born before a round. */
  void prune(long below) {
    Map<Long, List<Node>> old = byBirth.headMap(below, false);
    if (old.isEmpty()) {
      return;
    }
    for (List<Node> atRound : old.values()) {
      for (Node node : atRound) {
        decided(node);
        nodes.remove(node.event.hash());
        tips.remove(node.event.hash());
      }
    }
    old.clear();
    for (Creator creator : creators) {
      creator.events.removeIf(node -> node.event.birthRound() < below);
    }
  }

  /** Forgets all events, but not who has forked. */
  List<Event> clear() {
    List<Event> all = since(0);
    nodes.clear();
    byBirth.clear();
    tips.clear();
    undecided = 0;
    for (Creator creator : creators) {
      creator.head = null;
      creator.events.clear();
      creator.isFresh = false;
    }
    return all;
  }

  /** The events that were born in a round or later, parents before children. */
  List<Event> since(long birthRound) {
    return byBirth.tailMap(birthRound, true).values().stream()
        .flatMap(Collection::stream)
        .sorted(Comparator.comparingLong(node -> node.number))
        .map(node -> node.event)
        .toList();
  }

  /**
   * Names by which another replica recognizes what is here: the events without children, the latest
   * first, and of each creator some that are ever older, because the other may know none of the
   * latest.
   */
  List<EventHash> names(int most) {
    LinkedHashSet<EventHash> names = new LinkedHashSet<>();
    for (Creator creator : creators) {
      int last = creator.events.size() - 1;
      for (int before = 0; before <= last; before = Math.max(1, before * 4)) {
        names.add(creator.events.get(last - before).event.hash());
      }
    }
    names.addAll(tips.reversed());
    return names.stream().limit(most).toList();
  }

  /**
   * The events that a replica lacks and that are not ancient to it, parents before children; the
   * first ones, up to so many and so many bytes. Costs as much as there are, not as the graph has,
   * because it goes down from the tips of both by generation until only common events are left.
   */
  List<Event> lackedWith(PeerMessage.Sync question, int mostBytes, int most) {
    if (new HashSet<>(question.tips()).containsAll(tips)) {
      return List.of();
    }
    AncestorWalk walk = new AncestorWalk();
    tips.forEach(tip -> walk.meet(nodes.get(tip), false));
    question.tips().forEach(tip -> walk.meet(nodes.get(tip), true));
    List<Node> lacked = walk.run();
    lacked.removeIf(node -> node.event.birthRound() < question.ancientBelow());
    lacked.sort(Comparator.comparingLong(node -> node.number));
    List<Event> sent = new ArrayList<>();
    long bytes = 0;
    for (Node node : lacked) {
      bytes += node.event.size();
      if (bytes > mostBytes || sent.size() == most) {
        break;
      }
      sent.add(node.event);
    }
    return sent;
  }

  /** A walk from children to parents that finds what is not theirs. */
  private final class AncestorWalk {
    private final long number = ++walks;
    private final PriorityQueue<Node> down =
        new PriorityQueue<>(Comparator.comparingLong((Node node) -> -node.generation));
    private int oursOnly;

    void meet(@Nullable Node node, boolean isTheirs) {
      if (node == null) {
        return;
      }
      if (node.metIn != number) {
        node.metIn = number;
        node.isTheirs = isTheirs;
        down.add(node);
        oursOnly += isTheirs ? 0 : 1;
      } else if (isTheirs && !node.isTheirs) {
        node.isTheirs = true;
        oursOnly--;
      }
    }

    List<Node> run() {
      List<Node> lacked = new ArrayList<>();
      while (oursOnly > 0) {
        Node node = down.remove();
        if (!node.isTheirs) {
          oursOnly--;
          lacked.add(node);
        }
        for (Event.Parent parent : node.event.body().parents()) {
          meet(nodes.get(parent.hash()), node.isTheirs);
        }
      }
      return lacked;
    }
  }
}
