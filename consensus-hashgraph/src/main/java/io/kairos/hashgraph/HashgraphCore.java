package io.kairos.hashgraph;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.time.MonotonicClock;
import io.kairos.hashgraph.Event.Parent;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One replica of a hashgraph: takes events of others after checking everything, makes its own, and
 * gives out requests in the order that the engine decides. Deterministic, and used by one thread;
 * threads, sockets, disks and clocks are behind its ports. The ideas are those of Baird, "The
 * Swirlds hashgraph consensus algorithm" (2016).
 *
 * <p>Whether an event is valid depends on the event and its ancestors alone, never on the order of
 * arrival, or a liar could divide those who tell the truth. What depends on this replica (no room,
 * round ahead, parents missing) only delays an event.
 *
 * <p>An exception of a port or of the state machine is a broken invariant: the replica must be
 * closed.
 */
public final class HashgraphCore {
  /**
   * Own events within one undecided round after which this replica only makes an event that brings
   * enough others together. While too many replicas are away, the graph so stops growing.
   */
  private static final int EVENTS_BEFORE_STALL = 20;

  /** So many times what checking events of others took is the pause between own events... */
  private static final int TIMES_CHECKING = 4;

  /** ... but no more than so many times the least pause, whoever floods. */
  private static final int MOST_TIMES_SLOWER = 20;

  /** Pauses between questions after which an answer is not waited for any more. */
  private static final int PAUSES_UNTIL_LOST = 4;

  private final HashgraphConfig config;
  private final Ports ports;
  private final EventGraph graph;
  private final WaitingEvents waiting;
  private final SnapshotSharing snapshots;
  private final Peer[] peers;
  private final Set<EventHash> vouched = new HashSet<>();
  private final Deque<Queued> queue = new ArrayDeque<>();
  private final Map<EventHash, List<Queued>> inFlight = new HashMap<>();
  private HashgraphEngine engine;
  private Silence silence;

  /** The first undecided round. */
  private long round = 1;

  private long ancientBelow = 1;
  private Instant agreed = Instant.EPOCH;
  private byte @Nullable [] checkpoint;

  /** Of the last checkpoint, and of the one before, from which on all events are kept. */
  private long ancientAtCheckpoint = 1;

  private long keeps = 1;
  private @Nullable Event ownLast;
  private int ownInRound;
  private long queuedBytes;
  private int nextPeer;
  private long nextCreateNanos = Long.MIN_VALUE;
  private long nextSyncNanos = Long.MIN_VALUE;
  private long nextAskNanos = Long.MIN_VALUE;
  private long nanos;
  private boolean isReplaying;

  /** What was spent on the message that is looked at. */
  private long checkingNanos;

  /** What was spent on events of others that were accepted since the last own one. */
  private long acceptingNanos;

  /**
   * The replica's surroundings.
   *
   * @param stopwatch by which is measured how long the messages of others keep the thread busy
   */
  public record Ports(
      EventKeys keys,
      EventJournal journal,
      Network network,
      Application application,
      InstantSource clock,
      MonotonicClock stopwatch,
      RandomGenerator random) {}

  /** Carries messages, or loses them; never calls back. */
  @FunctionalInterface
  public interface Network {
    void send(ReplicaId to, byte[] message);
  }

  /** Executes requests in the order of all replicas. */
  public interface Application {
    /**
     * Executes a request.
     *
     * @param creator by whose signature it came
     * @param agreed the time on which the replicas agree; never before that of an earlier request
     */
    void execute(ReplicaId creator, byte[] request, Instant agreed);

    /** The state after a round. */
    byte[] snapshot();

    /** Replaces the state. */
    void restore(byte[] snapshot);

    /**
     * A round was executed.
     *
     * @param events the events that it ordered
     */
    void executed(long round, int events);
  }

  private static final class Peer {
    private final EnumMap<Occurrence, Long> occurrences = new EnumMap<>(Occurrence.class);
    private long round;
    private long keeps;
    private boolean isHeard;
    private long vouchedInRound;
    private long vouchedBytes;
    private long nextQuestionNanos = Long.MIN_VALUE;
    private boolean isAsked;
    private long askedNanos;
    private long nextAnswerNanos = Long.MIN_VALUE;
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Queued(byte[] request, Runnable failed) {}

  private HashgraphCore(HashgraphConfig config, Ports ports, Silence silence) {
    this.config = config;
    this.ports = ports;
    this.graph = new EventGraph(config);
    this.waiting = new WaitingEvents(config.cluster(), config.bounds().waitingBytes());
    this.snapshots = new SnapshotSharing(config);
    this.peers = new Peer[config.cluster().size()];
    for (int i = 0; i < peers.length; i++) {
      peers[i] = new Peer();
    }
    this.engine = new HashgraphEngine(config.self(), config.cluster());
    this.silence = silence;
  }

  /**
   * Starts a replica with what its journal kept; with an empty one at the beginning of the cluster.
   */
  public static HashgraphCore open(HashgraphConfig config, Ports ports) {
    HashgraphCore core = new HashgraphCore(config, ports, new Silence(Silence.NONE));
    core.replay(ports.journal().read());
    return core;
  }

  /** Starts a replica that has taken part before and has lost its journal, or perhaps has. */
  public static HashgraphCore openWithoutMemory(HashgraphConfig config, Ports ports) {
    HashgraphCore core = new HashgraphCore(config, ports, Silence.unknown());
    core.remember();
    return core;
  }

  private void replay(EventJournal.Kept kept) {
    isReplaying = true;
    Optional<OwnMemory> memory =
        kept.checkpoint().map(bytes -> OwnMemory.decode(bytes).orElseThrow(HashgraphCore::foreign));
    memory.ifPresent(each -> silence = new Silence(each.silentUntil()));
    memory.flatMap(OwnMemory::checkpoint).ifPresent(this::begin);
    memory
        .flatMap(OwnMemory::last)
        .ifPresent(
            bytes -> ownLast = Event.decode(bytes, config).orElseThrow(HashgraphCore::foreign));
    for (byte[] bytes : kept.events()) {
      Event event = Event.decode(bytes, config).orElseThrow(HashgraphCore::foreign);
      if (event.creator().equals(config.self()) && isAfterOwnLast(event)) {
        ownLast = event; // also when it has to wait
      }
      take(event);
    }
    Event last = ownLast;
    if (last != null) {
      take(last);
    }
    isReplaying = false;
  }

  private static IllegalStateException foreign() {
    return new IllegalStateException(
        "the journal has a head or an event that is none of this cluster's: it belongs to another cluster, or the bound of events was lowered");
  }

  /** Goes on after a checkpoint, with no events yet. */
  private void begin(byte[] encoded) {
    Checkpoint from =
        Checkpoint.decode(encoded)
            .orElseThrow(() -> new IllegalStateException("a checkpoint cannot be read"));
    engine = new HashgraphEngine(config.self(), config.cluster());
    engine.restore(from.engine());
    ports.application().restore(from.state());
    agreed = from.agreed();
    round = from.round() + 1;
    ancientBelow = from.ancientBelow();
    ancientAtCheckpoint = ancientBelow;
    keeps = ancientBelow;
    checkpoint = encoded;
    snapshots.made(from.round(), encoded);
    ownInRound = 0;
  }

  /** The first undecided round. */
  public long round() {
    return round;
  }

  /** The time of the last request; 1970 before the first. */
  public Instant agreed() {
    return agreed;
  }

  public long count(Occurrence occurrence) {
    return Arrays.stream(peers)
        .mapToLong(each -> each.occurrences.getOrDefault(occurrence, 0L))
        .sum();
  }

  /** What a replica did, or was counted when it spoke; without zeros. */
  Map<Occurrence, Long> occurrences(ReplicaId of) {
    return Map.copyOf(peers[of.number()].occurrences);
  }

  /** The first undecided round of another replica, as it says; 0 before it has said anything. */
  long round(ReplicaId of) {
    return of.equals(config.self()) ? round : peers[of.number()].round;
  }

  /** The replicas that are known to have made two events in one place. */
  public List<ReplicaId> forkers() {
    return graph.forkers();
  }

  /** True while this replica makes no events, because it has forgotten those that it made. */
  public boolean isSilent() {
    return silence.isKept(ancientBelow);
  }

  /** True when something is to be decided, so that time must not pass unused. */
  boolean hasWork() {
    return !queue.isEmpty() || graph.undecided() > 0;
  }

  /** Number of events in memory that are accepted. */
  int events() {
    return graph.size();
  }

  @Override
  public String toString() {
    return "round %d, ancient below %d, keeps %d, own last %s of round %d, %s, %d wait, fresh %d, %d own in round"
        .formatted(
            round,
            ancientBelow,
            keeps,
            ownLast == null ? null : ownLast.hash(),
            ownLast == null ? 0 : ownLast.birthRound(),
            ownLast != null && graph.has(ownLast.hash()) ? "accepted" : "not accepted",
            waiting.all().size(),
            graph.freshHeads().size(),
            ownInRound);
  }

  private void note(Occurrence occurrence) {
    note(occurrence, config.self());
  }

  private void note(Occurrence occurrence, ReplicaId of) {
    peers[of.number()].occurrences.merge(occurrence, 1L, Long::sum);
  }

  /**
   * Takes a request, to be put into an event of this replica.
   *
   * @param failed called once if this replica has not been able to get it ordered; it may be
   *     submitted again
   */
  public void submit(byte[] request, Runnable failed) {
    if (queuedBytes + request.length > config.bounds().queuedBytes()
        || request.length > config.bounds().requestBytes()) {
      note(Occurrence.PRESSURE);
      failed.run();
      return;
    }
    queuedBytes += request.length;
    queue.add(new Queued(request, failed));
  }

  /** Does what is due; to be called a few times within each pause of the configuration. */
  public void look(long nowNanos) {
    nanos = nowNanos;
    create();
    snapshots.look(round, nanos).ifPresent(question -> send(question.to(), question.message()));
    if (nanos >= nextSyncNanos) {
      boolean isBusy = hasWork() || !waiting.isEmpty() || isSilent();
      nextSyncNanos = nanos + (isBusy ? config.pace().sync() : config.pace().quietSync()).toNanos();
      nextPeer = (nextPeer + 1) % peers.length;
      if (nextPeer == config.self().number()) {
        nextPeer = (nextPeer + 1) % peers.length;
      }
      ask(new ReplicaId(nextPeer));
    }
  }

  /** Takes a message of another replica, any bytes. */
  public void receive(ReplicaId from, byte[] bytes, long nowNanos) {
    receive(from, PeerMessage.decode(bytes, config.bounds()).orElse(null), nowNanos);
  }

  /**
   * Takes a message of another replica; null for bytes that are none. Returns how many nanoseconds
   * were spent on checking it, which may be for nothing, and on finding the answer.
   */
  long receive(ReplicaId from, @Nullable PeerMessage message, long nowNanos) {
    nanos = nowNanos;
    checkingNanos = 0;
    look(from, message);
    return checkingNanos;
  }

  private void look(ReplicaId from, @Nullable PeerMessage message) {
    if (from.equals(config.self()) || !config.cluster().has(from)) {
      note(Occurrence.MALFORMED);
      return;
    }
    switch (message) {
      case null -> note(Occurrence.MALFORMED, from);
      case PeerMessage.Events(boolean isAnswer, List<byte[]> events) -> {
        peers[from.number()].isAsked &= !isAnswer;
        take(from, events);
      }
      case PeerMessage.Sync sync -> answer(from, sync);
      case PeerMessage.AskOffers _ -> give(from, snapshots.offers(from, nanos));
      case PeerMessage.Offers(List<PeerMessage.Offer> offers) -> {
        if (!snapshots.offered(from, offers, round)) {
          note(Occurrence.HASTE, from);
        }
      }
      case PeerMessage.AskPiece question -> give(from, snapshots.piece(from, question, nanos));
      case PeerMessage.Piece piece -> consider(from, piece);
    }
  }

  // Events of others.

  private void take(ReplicaId from, List<byte[]> events) {
    boolean isIncomplete = events.size() > peers.length;
    for (byte[] bytes : events) {
      long before = ports.stopwatch().nanos();
      Event event = Event.decode(bytes, config).orElse(null);
      Checked checked = check(from, event);
      long spent = ports.stopwatch().nanos() - before;
      checkingNanos += spent;
      if (event == null || checked == Checked.FALSE) {
        break; // who tells the truth has checked it too, so the rest is worth nothing
      }
      if (checked == Checked.WAITS) {
        if (vouch(from, event)) {
          take(event);
        }
      } else if (checked == Checked.NEW) {
        acceptingNanos += spent;
        vouch(from, event);
        take(event);
        isIncomplete |= !graph.has(event.hash());
      }
    }
    if (isIncomplete) {
      ask(from);
    }
  }

  private enum Checked {
    NEW,
    WAITS,
    OF_NO_USE,
    FALSE
  }

  private Checked check(ReplicaId from, @Nullable Event event) {
    if (event == null) {
      note(Occurrence.MALFORMED, from);
      return Checked.FALSE;
    }
    if (graph.has(event.hash()) || waiting.has(event.hash())) {
      note(Occurrence.DUPLICATE, from);
      return waiting.has(event.hash()) ? Checked.WAITS : Checked.OF_NO_USE;
    }
    if (event.birthRound() < ancientBelow) {
      note(Occurrence.ANCIENT, from);
      return Checked.OF_NO_USE;
    }
    if (!ports.keys().verify(event.creator(), event.hash().bytes(), event.signature())) {
      note(Occurrence.BAD_SIGNATURE, from);
      return Checked.FALSE;
    }
    return Checked.NEW;
  }

  /** Accepts a verified event and what waited for it, or lets it wait. */
  private void take(Event event) {
    Deque<Event> candidates = new ArrayDeque<>(List.of(event));
    while (!candidates.isEmpty()) {
      Event next = candidates.remove();
      if (graph.has(next.hash()) || next.birthRound() < ancientBelow) {
        waiting.remove(next);
      } else if (isReady(next)) {
        waiting.remove(next);
        if (!graph.agreesWithParents(next, ancientBelow)) {
          note(Occurrence.DISAGREES, next.creator());
          continue;
        }
        boolean isDecided = accept(next);
        candidates.addAll(isDecided ? waiting.all() : waiting.childrenOf(next.hash()));
      } else if (!waiting.has(next.hash())) {
        note(Occurrence.WAITED, next.creator());
        if (!waiting.add(next)) {
          note(Occurrence.NO_ROOM, next.creator());
        } else if (isNeeded(next)) {
          candidates.addAll(waiting.need(next));
        }
      }
    }
  }

  private boolean isReady(Event event) {
    return event.birthRound() <= round
        && graph.hasParents(event, ancientBelow)
        && (isReplaying || vouched.contains(event.hash()) || isNeeded(event));
  }

  /**
   * Notes that one who has not forked passes on an event of one who has, and so has accepted it.
   * Only for so many bytes in a round, so that no accomplice can make the graph grow at will.
   *
   * @return whether that was new
   */
  private boolean vouch(ReplicaId from, Event event) {
    if (!graph.isForker(event.creator()) || from.equals(event.creator()) || graph.isForker(from)) {
      return false;
    }
    Peer peer = peers[from.number()];
    if (peer.vouchedInRound != round) {
      peer.vouchedInRound = round;
      peer.vouchedBytes = 0;
    }
    long after = peer.vouchedBytes + event.size() + EventGraph.EVENT_OVERHEAD;
    boolean isNew = after <= config.bounds().roundBytes() && vouched.add(event.hash());
    if (isNew) {
      peer.vouchedBytes = after;
    }
    return isNew;
  }

  /** Whether one who has not forked made an event, or has built on it. */
  private boolean isNeeded(Event event) {
    return !graph.isForker(event.creator()) || waiting.isNeeded(event);
  }

  /** Adds an event to the graph; true when rounds were decided. */
  private boolean accept(Event event) {
    boolean wasForker = graph.isForker(event.creator());
    EventGraph.Node node = graph.add(event, ancientBelow);
    if (wasForker) {
      note(Occurrence.NEEDED, event.creator());
    } else if (graph.isForker(event.creator())) {
      note(Occurrence.FORK, event.creator());
    }
    if (!isReplaying) {
      ports.journal().append(event.bytes());
    }
    if (event.creator().equals(config.self()) && isAfterOwnLast(event)) {
      ownLast = event;
    }
    HashgraphEngine.Decisions decisions = engine.add(event, node.generation);
    decisions.rounds().forEach(this::decided);
    for (EventHash stale : decisions.stale()) {
      graph.decided(stale);
      List<Queued> requests = inFlight.remove(stale);
      if (requests != null) {
        note(Occurrence.STALE);
        requests.forEach(each -> each.failed().run());
      }
    }
    if (decisions.rounds().isEmpty()) {
      return false;
    }
    ownInRound = 0;
    vouched.removeIf(hash -> !waiting.has(hash));
    graph.prune(Math.min(keeps, ancientBelow));
    return true;
  }

  private boolean isAfterOwnLast(Event event) {
    Event last = ownLast;
    return last == null
        || (isSilent() && event.birthRound() >= last.birthRound())
        || event.selfParent().filter(last.hash()::equalsParent).isPresent();
  }

  private void decided(HashgraphEngine.Round decided) {
    for (HashgraphEngine.Ordered ordered : decided.events()) {
      Event event =
          graph
              .decided(ordered.hash())
              .orElseThrow(
                  () -> new IllegalStateException("the engine ordered what it was not given"));
      inFlight.remove(ordered.hash());
      agreed = ordered.agreed().isAfter(agreed) ? ordered.agreed() : agreed;
      for (byte[] request : event.body().requests()) {
        ports.application().execute(event.creator(), request, agreed);
      }
    }
    round = decided.number() + 1;
    ancientBelow = decided.ancientBelow();
    ports.application().executed(decided.number(), decided.events().size());
    if (decided.number() % config.bounds().snapshotEvery() == 0) {
      byte[] made =
          new Checkpoint(
                  decided.number(),
                  ancientBelow,
                  agreed,
                  decided.snapshot(),
                  ports.application().snapshot())
              .encode();
      checkpoint = made;
      snapshots.made(decided.number(), made);
      keeps = ancientAtCheckpoint;
      ancientAtCheckpoint = ancientBelow;
      if (!isReplaying) {
        remember();
      }
    }
  }

  /** Writes the journal anew: the last checkpoint and the events that it needs. */
  private void remember() {
    OwnMemory memory =
        new OwnMemory(
            Optional.ofNullable(checkpoint),
            Optional.ofNullable(ownLast).map(Event::bytes),
            silence.until());
    List<byte[]> events = graph.since(ancientAtCheckpoint).stream().map(Event::bytes).toList();
    ports.journal().replace(memory.encode(), events);
  }

  // Events of this replica.

  private void create() {
    Event last = ownLast;
    boolean isCutOff = last != null && last.birthRound() >= ancientBelow && !graph.has(last.hash());
    if (nanos < nextCreateNanos || !hasWork() || isSilent() || isCutOff) {
      return;
    }
    List<Parent> fresh = graph.freshHeads();
    boolean isEnough =
        ownInRound < EVENTS_BEFORE_STALL
            ? !fresh.isEmpty() || !queue.isEmpty()
            : fresh.size() >= config.quorum() - 1;
    long room =
        config.bounds().roundBytes()
            - graph.chainBytes(config.self(), round)
            - EventGraph.EVENT_OVERHEAD
            - Event.MOST_HEAD_BYTES;
    if (!isEnough || room < 0) {
      return;
    }
    nextCreateNanos = nanos + pauseNanos();
    List<Parent> parents = new ArrayList<>();
    if (last != null) {
      parents.add(new Parent(config.self(), last.birthRound(), last.hash()));
    }
    parents.addAll(fresh);
    List<Queued> taken = new ArrayList<>();
    Event event =
        Event.sign(
            new Event.Body(
                config.self(),
                round,
                created(last),
                ports.random().nextLong(),
                parents,
                requests(taken, room)),
            config.clusterName(),
            ports.keys());
    if (!taken.isEmpty()) {
      inFlight.put(event.hash(), taken);
    }
    ownInRound++;
    if (ownInRound == EVENTS_BEFORE_STALL) {
      note(Occurrence.STALL);
    }
    take(event);
    if (!event.equals(ownLast)) {
      throw new IllegalStateException("this replica refuses its own event; another has its key");
    }
    ports.journal().force();
    byte[] message = new PeerMessage.Events(List.of(event.bytes())).encode();
    for (ReplicaId peer : config.cluster().replicas()) {
      if (!peer.equals(config.self())) {
        ports.network().send(peer, message);
      }
    }
  }

  /** Longer when checking the events of others takes long, so that a slow machine keeps up. */
  private long pauseNanos() {
    long least = config.pace().create().toNanos();
    long pause = Math.clamp(acceptingNanos * TIMES_CHECKING, least, least * MOST_TIMES_SLOWER);
    acceptingNanos = 0;
    return pause;
  }

  private List<byte[]> requests(List<Queued> taken, long room) {
    List<byte[]> requests = new ArrayList<>();
    int most = (int) Math.min(config.bounds().eventBytes(), room + Event.MOST_HEAD_BYTES);
    int bytes = 0;
    while (!queue.isEmpty()
        && Event.fits(requests.size(), bytes, queue.element().request().length, most)) {
      Queued next = queue.remove();
      bytes += next.request().length;
      queuedBytes -= next.request().length;
      requests.add(next.request());
      taken.add(next);
    }
    return requests;
  }

  private Instant created(@Nullable Event last) {
    Instant now = ports.clock().instant();
    Instant bounded = now.isBefore(Instant.EPOCH) ? Instant.EPOCH : now;
    Instant latest = bounded.isAfter(Event.LATEST) ? Event.LATEST : bounded;
    return last == null || latest.isAfter(last.body().created())
        ? latest
        : last.body().created().plusNanos(1);
  }

  // Questions and answers.

  /**
   * Asks for events, but not before the last question was answered, or is lost: a replica that has
   * much to do would be asked the more, and answer the same again and again.
   */
  private void ask(ReplicaId peer) {
    Peer asked = peers[peer.number()];
    boolean isOpen =
        asked.isAsked
            && nanos - asked.askedNanos
                < config.pace().sync().multipliedBy(PAUSES_UNTIL_LOST).toNanos();
    if (nanos >= asked.nextQuestionNanos && !isOpen) {
      asked.nextQuestionNanos = after(config.pace().answer());
      asked.isAsked = true;
      asked.askedNanos = nanos;
      send(peer, new PeerMessage.Sync(round, keeps, ancientBelow, graph.names(PeerMessage.MOST_NAMES)));
    }
  }

  private long after(Duration pause) {
    return nanos + pause.toNanos();
  }

  private void send(ReplicaId peer, PeerMessage message) {
    ports.network().send(peer, message.encode());
  }

  private void answer(ReplicaId from, PeerMessage.Sync sync) {
    Peer peer = peers[from.number()];
    if (nanos < peer.nextAnswerNanos) {
      note(Occurrence.HASTE, from);
      return;
    }
    peer.nextAnswerNanos = after(config.pace().answer().dividedBy(2));
    peer.round = sync.round();
    peer.keeps = sync.keeps();
    peer.isHeard = true;
    long before = ports.stopwatch().nanos();
    List<Event> lacked =
        graph.lackedWith(sync, config.bounds().syncBytes(), PeerMessage.MOST_EVENTS);
    send(from, new PeerMessage.Events(true, lacked.stream().map(Event::bytes).toList()));
    checkingNanos += ports.stopwatch().nanos() - before;
    if (!sync.tips().stream().allMatch(graph::has)) {
      ask(from);
    }
    askForSnapshots();
    noteCaughtUp();
  }

  private void noteCaughtUp() {
    long level = Arrays.stream(peers).filter(each -> each.isHeard && each.round <= round).count();
    if (level >= config.quorum() - 1 && silence.caughtUp(round)) {
      remember();
    }
  }

  // Snapshots of others.

  /** Whether a peer says that it has forgotten events that this replica may lack. */
  private boolean isFarAhead(Peer peer) {
    return peer.isHeard && peer.round > round && peer.keeps > ancientBelow;
  }

  private void askForSnapshots() {
    long ahead = Arrays.stream(peers).filter(this::isFarAhead).count();
    if (ahead <= config.cluster().mayFail() || nanos < nextAskNanos || snapshots.isTaking()) {
      return;
    }
    nextAskNanos = after(config.pace().sync().multipliedBy(4));
    for (ReplicaId replica : config.cluster().replicas()) {
      if (isFarAhead(peers[replica.number()])) {
        send(replica, snapshots.ask(replica));
      }
    }
  }

  /** Answers; nothing when the question came too soon, or for what is not kept. */
  private void give(ReplicaId to, Optional<PeerMessage> answer) {
    answer.ifPresentOrElse(message -> send(to, message), () -> note(Occurrence.HASTE, to));
  }

  private void consider(ReplicaId from, PeerMessage.Piece piece) {
    switch (snapshots.take(from, piece, round)) {
      case SnapshotSharing.Brought.Nothing _ -> {}
      case SnapshotSharing.Brought.Unasked _ -> note(Occurrence.HASTE, from);
      case SnapshotSharing.Brought.Lie _ -> note(Occurrence.FALSE_SNAPSHOT, from);
      case SnapshotSharing.Brought.Whole(byte[] snapshot) -> {
        if (Checkpoint.decode(snapshot).filter(each -> each.round() >= round).isPresent()) {
          install(snapshot);
        }
      }
    }
  }

  /** Takes over the state of others, of whom at least one tells the truth. */
  private void install(byte[] snapshot) {
    List<Event> had = new ArrayList<>(graph.clear());
    had.addAll(waiting.all());
    waiting.all().forEach(waiting::remove);
    List<Queued> unknown = inFlight.values().stream().flatMap(List::stream).toList();
    inFlight.clear();
    begin(snapshot);
    ports
        .journal()
        .replace(
            new OwnMemory(
                    Optional.of(requireNonNull(checkpoint)),
                    Optional.ofNullable(ownLast).map(Event::bytes),
                    silence.until())
                .encode(),
            had.stream()
                .filter(event -> event.birthRound() >= ancientBelow)
                .map(Event::bytes)
                .toList());
    note(Occurrence.INSTALLED);
    had.forEach(this::take);
    unknown.forEach(each -> each.failed().run());
  }
}
