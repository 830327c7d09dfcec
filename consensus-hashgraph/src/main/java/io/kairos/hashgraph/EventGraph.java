package io.kairos.hashgraph;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.replica.ReplicaId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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

  /** Parents before children, and each event of a forker right before the one that backs it. */
  static final Comparator<Node> ORDER =
      Comparator.comparingLong((Node node) -> node.backingNumber)
          .thenComparingLong(node -> node.number);

  private final HashgraphConfig config;
  private final Map<EventHash, Node> nodes = new HashMap<>();

  /** In the order of their coming, by the round of their birth. */
  private final TreeMap<Long, List<Node>> byBirth = new TreeMap<>();

  /** Backed events without backed children here. */
  private final LinkedHashSet<EventHash> tips = new LinkedHashSet<>();

  private final Creator[] creators;
  private long added;
  private int undecided;

  /** The first round of birth of which events that are not backed are kept. */
  private long keepsUnbacked;

  /**
   * An event for the engine.
   *
   * @param generation greater than those of its parents
   */
  record Fed(Event event, long generation) {}

  /** An accepted event. */
  static final class Node {
    private static final long NOT_BACKED = Long.MAX_VALUE;

    private final Event event;
    private final long generation;
    private final long number;
    private final Chain chain;

    /** The generation of the latest event of this replica among its ancestors, or its own. */
    private long seenOwn;

    /** True also while it is not backed: then it is not to be decided. */
    private boolean isDecided = true;

    private boolean isFed;
    private Ancestry ancestry;

    private final Place place;

    /**
     * The number of the event that backs this one: itself, if its creator was not known to have
     * forked when it came; otherwise the first such event that descends from it.
     */
    private long backingNumber = NOT_BACKED;

    /** Those who have sent it, by bits. */
    private int senders;

    private Node(
        Event event, long generation, long number, Chain chain, Place place, Ancestry ancestry) {
      this.event = event;
      this.generation = generation;
      this.number = number;
      this.chain = chain;
      this.place = place;
      this.ancestry = ancestry;
    }

    Event event() {
      return event;
    }

    long generation() {
      return generation;
    }

    private boolean isBacked() {
      return backingNumber != NOT_BACKED;
    }

    /** Notes who has sent it; false when that was known. */
    boolean sent(ReplicaId by) {
      int before = senders;
      senders |= 1 << by.number();
      return senders != before;
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

  /**
   * The place of an event in its creator's chain. With a second way back that is longer, any place
   * is reached by a logarithm of steps, as in Myers, "An applicative random-access stack" (1983): a
   * liar's chain is as long as it likes.
   *
   * @param depth events before it, as far as they were here
   * @param jump an event further back
   */
  private record Place(long depth, Event.@Nullable Parent jump, long jumpDepth) {
    private static final Place FIRST = new Place(0, null, -1);
  }

  /** A replica, as its events show it. */
  private static final class Creator {
    /** The one that came last. */
    private Event.@Nullable Parent head;

    /** Those that are backed, as they came or were backed. */
    private final List<Node> events = new ArrayList<>();

    private boolean isForker;

    /** True when the head is no ancestor of this replica's last event. */
    private boolean isFresh;
  }

  EventGraph(HashgraphConfig config) {
    this.config = config;
    this.creators = new Creator[config.cluster().size()];
    Arrays.setAll(creators, _ -> new Creator());
  }

  private Creator of(ReplicaId creator) {
    return creators[creator.number()];
  }

  boolean has(EventHash hash) {
    return nodes.containsKey(hash);
  }

  @Nullable Node node(EventHash hash) {
    return nodes.get(hash);
  }

  /**
   * The event that another one names as a parent. None if it says of it what is not so: that counts
   * only when it can be said of an ancient parent, which is as good as none, whether or not this
   * replica knows what else has that hash.
   */
  private @Nullable Node node(Event.Parent parent) {
    Node node = nodes.get(parent.hash());
    return node == null || !parent(node.event).equals(parent) ? null : node;
  }

  /** The parents of an event that are here. */
  List<Node> parents(Event event) {
    List<Node> parents = new ArrayList<>();
    for (Event.Parent parent : event.body().parents()) {
      Node node = node(parent);
      if (node != null) {
        parents.add(node);
      }
    }
    return parents;
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
   * Checks what an event says of its parents, as far as it says that they are not ancient; empty
   * when it can be accepted. An event that is refused may be accepted later, when a parent would be
   * ancient, as it is accepted by replicas for which it would be already: they are ahead, and no
   * event that this replica needs to get there descends from this one.
   *
   * <p>Nobody is named as another parent who is shown to have forked by the ancestors of the event:
   * who tells the truth knows these. Otherwise one who forked could have all its chains built on,
   * by as few as one accomplice.
   */
  Optional<Occurrence> disagreement(Event event, long ancientBelow) {
    List<Event.Parent> parents =
        event.body().parents().stream()
            .filter(parent -> parent.birthRound() >= ancientBelow)
            .toList();
    Ancestry ancestry = ancestry(event);
    Node selfParent = null;
    for (Event.Parent parent : parents) {
      Node known = node(parent);
      boolean isSelf = parent.creator().equals(event.creator());
      if (known == null
          || (isSelf && !event.body().created().isAfter(known.event.body().created()))
          || (!isSelf && ancestry.forked(parent.creator()) >= ancientBelow)) {
        return Optional.of(Occurrence.PARENT_MISMATCH);
      }
      selfParent = isSelf ? known : selfParent;
    }
    return chain(event, selfParent).bytes() > config.bounds().roundBytes()
        ? Optional.of(Occurrence.OVER_BUDGET)
        : Optional.empty();
  }

  /** What the ancestors of an event show. */
  private Ancestry ancestry(Event event) {
    Ancestry all = Ancestry.none(creators.length);
    for (Node parent : parents(event)) {
      all = all.and(parent.ancestry, this::follows);
    }
    return all;
  }

  /** Whether an event is another one of its creator, or comes after it in its creator's chain. */
  private boolean follows(Event.Parent event, Event.Parent earlier) {
    Node target = node(earlier);
    Node at = node(event);
    while (at != null && target != null && at.place.depth() > target.place.depth()) {
      at =
          at.place.jumpDepth() >= target.place.depth()
              ? node(requireNonNull(at.place.jump()))
              : selfParent(at.event);
    }
    return at != null && at == target;
  }

  private @Nullable Node selfParent(Event event) {
    return event.selfParent().map(this::node).orElse(null);
  }

  private Place place(@Nullable Node selfParent) {
    if (selfParent == null) {
      return Place.FIRST;
    }
    Place before = selfParent.place;
    Node jump = before.jump() == null ? null : node(before.jump());
    if (jump != null
        && before.depth() - before.jumpDepth() == before.jumpDepth() - jump.place.jumpDepth()) {
      return new Place(before.depth() + 1, jump.place.jump(), jump.place.jumpDepth());
    }
    return new Place(before.depth() + 1, parent(selfParent.event), before.depth());
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

  /**
   * Adds an event, all of whose parents that are not ancient are here. Returns those events that
   * are backed from now on, parents before children.
   */
  List<Event> add(Event event, long ancientBelow, boolean isBacked) {
    long above = 0;
    long seenOwn = 0;
    for (Node parent : parents(event)) {
      above = Math.max(above, parent.generation);
      seenOwn = Math.max(seenOwn, parent.seenOwn);
    }
    Node selfParent = selfParent(event);
    Node node =
        new Node(
            event,
            above + 1,
            ++added,
            chain(event, selfParent),
            place(selfParent),
            ancestry(event));
    node.seenOwn = event.creator().equals(config.self()) ? node.generation : seenOwn;
    nodes.put(event.hash(), node);
    node.ancestry = node.ancestry.and(parent(event), this::follows);
    byBirth.computeIfAbsent(event.birthRound(), _ -> new ArrayList<>()).add(node);
    follow(event, ancientBelow);
    return isBacked ? back(node) : List.of();
  }

  /** An event and its ancestors are backed. */
  private List<Event> back(Node by) {
    List<Node> backed = new ArrayList<>(List.of(by));
    by.backingNumber = by.number;
    for (int i = 0; i < backed.size(); i++) {
      for (Node parent : parents(backed.get(i).event)) {
        tips.remove(parent.event.hash());
        if (!parent.isBacked()) {
          parent.backingNumber = by.number;
          backed.add(parent);
        }
      }
    }
    tips.add(by.event.hash());
    backed.sort(ORDER);
    for (Node node : backed) {
      of(node.event.creator()).events.add(node);
      node.isDecided = node.event.body().requests().isEmpty();
      undecided += node.isDecided ? 0 : 1;
    }
    return backed.stream().map(node -> node.event).toList();
  }

  /**
   * An event for the engine, after those of its ancestors that were not for the engine before,
   * parents before children. It is backed.
   */
  List<Fed> feed(EventHash top) {
    List<Node> fed = new ArrayList<>();
    unfed(requireNonNull(nodes.get(top)), fed);
    for (int i = 0; i < fed.size(); i++) {
      parents(fed.get(i).event).forEach(parent -> unfed(parent, fed));
    }
    fed.sort(ORDER);
    return fed.stream().map(node -> new Fed(node.event, node.generation)).toList();
  }

  private static void unfed(Node node, List<Node> fed) {
    if (!node.isFed) {
      node.isFed = true;
      fed.add(node);
    }
  }

  /** The backed events without backed children. */
  List<EventHash> tips() {
    return List.copyOf(tips);
  }

  private void follow(Event event, long ancientBelow) {
    Creator creator = of(event.creator());
    Event.Parent head = creator.head;
    boolean follows = head == null || event.selfParent().filter(head::equals).isPresent();
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
            if (parent.equals(of.head)) {
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

  /** The last events of those who are not known to have forked. */
  List<Event> heads() {
    List<Event> heads = new ArrayList<>();
    for (Creator creator : creators) {
      Node head = head(creator);
      if (!creator.isForker && head != null) {
        heads.add(head.event);
      }
    }
    return heads;
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
    Node before = own.event.selfParent().map(this::node).orElse(null);
    int afterLast = 0;
    int afterEither = 0;
    for (Event.Parent event : events) {
      Node node = node(event);
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

  /** Forgets the events born before a round, and those not backed that are ancient. */
  void prune(long below, long ancientBelow) {
    Map<Long, List<Node>> old = byBirth.headMap(below, false);
    if (!old.isEmpty()) {
      old.values().forEach(atRound -> atRound.forEach(this::forget));
      old.clear();
      for (Creator creator : creators) {
        creator.events.removeIf(node -> node.event.birthRound() < below);
      }
    }
    for (List<Node> atRound : byBirth.subMap(keepsUnbacked, ancientBelow).values()) {
      atRound.forEach(this::decided); // what is ancient is never ordered
      List<Node> unbacked = atRound.stream().filter(node -> !node.isBacked()).toList();
      unbacked.forEach(this::forget);
      atRound.removeAll(unbacked);
    }
    keepsUnbacked = ancientBelow;
  }

  private void forget(Node node) {
    decided(node);
    nodes.remove(node.event.hash());
    tips.remove(node.event.hash());
  }

  /** Forgets all events, but not who has forked. */
  void clear() {
    nodes.clear();
    byBirth.clear();
    tips.clear();
    undecided = 0;
    for (Creator creator : creators) {
      creator.head = null;
      creator.events.clear();
      creator.isFresh = false;
    }
  }

  /** The backed events that were born in a round or later, parents before children. */
  List<Event> since(long birthRound) {
    return byBirth.tailMap(birthRound, true).values().stream()
        .flatMap(Collection::stream)
        .filter(Node::isBacked)
        .sorted(ORDER)
        .map(node -> node.event)
        .toList();
  }

  /**
   * Of each creator some backed events, which are ever older: any other replica knows one of them,
   * unless it is far behind.
   */
  Set<EventHash> sampledByAge() {
    Set<EventHash> hashes = new LinkedHashSet<>();
    for (Creator creator : creators) {
      int last = creator.events.size() - 1;
      for (int before = 0; before <= last; before = Math.max(1, before * 4)) {
        hashes.add(creator.events.get(last - before).event.hash());
      }
    }
    return hashes;
  }
}
