package io.kairos.hashgraph;

import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.time.MonotonicClock;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One replica of a hashgraph: takes events of others after checking everything, makes its own, and
 * gives out requests in the order that the engine decides. Deterministic, and used by one thread;
 * threads, sockets, disks and clocks are behind its ports. The ideas are those of Baird, "The
 * Swirlds hashgraph consensus algorithm" (2016); docs/adr/0046 says what is added to them, and why.
 *
 * <p>Whether an event is valid depends on the event and its ancestors alone, never on the order of
 * arrival, or a liar could divide those who tell the truth. What depends on this replica (no room,
 * round ahead, parents missing) only delays an event.
 *
 * <p>An exception of a port or of the state machine is a broken invariant: the replica must be
 * closed.
 */
public final class HashgraphCore {
  private final HashgraphConfig config;
  private final Ports ports;
  private final EventGraph graph;
  private final OccurrenceCounts counts;
  private final SnapshotSharing snapshots;
  private final ReplicaMemory memory;
  private final DecidedRounds rounds;
  private final PeerRounds peers;
  private final OwnEvents own;
  private final EventIntake intake;
  private final EventSync sync;

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

  /** One who has submitted a request. */
  @FunctionalInterface
  public interface Submitter {
    /** Called once if this replica has not been able to get the request ordered. */
    void failed();

    /** False when nobody waits for the request any more, so that it need not be ordered. */
    default boolean isWanted() {
      return true;
    }
  }

  /** Executes requests in the order of all replicas. */
  public interface Application {
    /**
     * Executes a request; false if every replica skips it, as it is none, or not its creator's.
     *
     * @param creator by whose signature it came
     * @param agreed the time on which the replicas agree; never before that of an earlier request
     */
    boolean execute(ReplicaId creator, byte[] request, Instant agreed);

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

  private HashgraphCore(HashgraphConfig config, Ports ports) {
    this.config = config;
    this.ports = ports;
    this.graph = new EventGraph(config);
    this.counts = new OccurrenceCounts(config);
    this.snapshots = new SnapshotSharing(config);
    this.memory = new ReplicaMemory(ports.journal());
    this.rounds = new DecidedRounds(config, ports.application(), graph, snapshots, memory, counts);
    this.peers = new PeerRounds(config);
    this.own = new OwnEvents(config, ports, graph, rounds, memory, peers, counts);
    Reconciliation reconciliation = new Reconciliation(config, graph);
    this.intake =
        new EventIntake(config, ports, graph, reconciliation, rounds, memory, own, peers, counts);
    this.sync =
        new EventSync(
            config, ports, graph, reconciliation, rounds, memory, snapshots, peers, counts);
  }

  /**
   * Starts a replica with what its journal kept; with an empty one at the beginning of the cluster.
   * The journal of one that has forgotten what it made begins with {@link JournalHead#forgotten}.
   */
  public static HashgraphCore open(HashgraphConfig config, Ports ports) {
    HashgraphCore core = new HashgraphCore(config, ports);
    core.replay(ports.journal().read());
    return core;
  }

  private void replay(EventJournal.Kept kept) {
    memory.replaying(true);
    Optional<JournalHead> head =
        kept.head()
            .map(bytes ->
                JournalHead.decode(bytes, config.cluster()).orElseThrow(HashgraphCore::foreign));
    head.ifPresent(each -> each.forkers().forEach(graph::forked));
    head.ifPresent(each -> memory.silence(new Silence(each.silentUntil())));
    head.flatMap(JournalHead::snapshot).ifPresent(rounds::begin);
    head.flatMap(JournalHead::last).ifPresent(bytes -> memory.last(decode(bytes)));
    for (byte[] bytes : kept.events()) {
      Event event = decode(bytes);
      if (event.creator().equals(config.self()) && memory.isAfterLast(event, rounds.isSilent())) {
        memory.last(event); // also when it has to wait
      }
      intake.take(event);
      intake.look(); // an own event of a later round waits until that is reached
    }
    Event last = memory.last();
    if (last != null) {
      intake.take(last);
      intake.look();
    }
    memory.replaying(false);
  }

  private Event decode(byte[] kept) {
    return Event.decode(kept, config).orElseThrow(HashgraphCore::foreign);
  }

  private static IllegalStateException foreign() {
    return new IllegalStateException(
        "the journal has a head or an event that is none of this cluster's: it belongs to another cluster, or the bound of events was lowered");
  }

  /** The first undecided round. */
  public long round() {
    return rounds.round();
  }

  /** The time of the last request; 1970 before the first. */
  public Instant agreed() {
    return rounds.agreed();
  }

  /** Count of something, of all replicas together. */
  long count(Occurrence occurrence) {
    return counts.total(occurrence);
  }

  /** Counts of a replica, without zeros. */
  Map<Occurrence, Long> occurrences(ReplicaId of) {
    return counts.of(of);
  }

  /** The first undecided round of another replica, as far as is known; 0 before anything is. */
  long round(ReplicaId of) {
    return of.equals(config.self()) ? round() : peers.of(of);
  }

  /** The replicas that are known to have made two events in one place. */
  public List<ReplicaId> forkers() {
    return graph.forkers();
  }

  /**
   * True while this replica makes no events, because it once forgot those that it made: until they
   * are ancient, and until others have come to its round.
   */
  public boolean isSilent() {
    return rounds.isSilent() || own.isAlone();
  }

  /** True when something is to be decided, so that time must not pass unused. */
  boolean hasWork() {
    return own.hasWork();
  }

  /** Number of events in memory that are accepted. */
  int events() {
    return graph.size();
  }

  @Override
  public String toString() {
    Event last = memory.last();
    return "round %d, ancient below %d, keeps %d, own last %s of round %d, %s, %d wait, fresh %d, %d own in round"
        .formatted(
            round(),
            rounds.ancientBelow(),
            rounds.keeps(),
            last == null ? null : last.hash(),
            last == null ? 0 : last.birthRound(),
            last != null && graph.has(last.hash()) ? "accepted" : "not accepted",
            intake.waiting(),
            graph.freshHeads().size(),
            own.inRound());
  }

  /** Takes a request, to be put into an event of this replica; again when that has failed. */
  public void submit(byte[] request, Submitter submitter) {
    own.submit(request, submitter);
  }

  /** Does what is due; to be called a few times within each pause of the configuration. */
  public void look(long nanos) {
    own.create(nanos).ifPresent(this::publish);
    intake.look();
    sync.look(hasWork() || intake.waiting() > 0 || isSilent(), nanos);
  }

  private void publish(Event made) {
    intake.take(made);
    if (!made.equals(memory.last())) {
      throw new IllegalStateException("this replica refuses its own event; another has its key");
    }
    byte[] message = new PeerMessage.Events(List.of(made.bytes())).encode();
    for (ReplicaId peer : config.cluster().replicas()) {
      if (!peer.equals(config.self())) {
        ports.network().send(peer, message);
      }
    }
  }

  /** Takes a message of another replica, any bytes. */
  public void receive(ReplicaId from, byte[] bytes, long nanos) {
    receive(from, PeerMessage.decode(bytes, config.bounds()).orElse(null), nanos);
  }

  /**
   * Takes a message of another replica; null for bytes that are none. Returns how many nanoseconds
   * were spent on checking it, which may be for nothing, and on finding the answer.
   */
  long receive(ReplicaId from, @Nullable PeerMessage message, long nanos) {
    long before = intake.checkingNanos() + sync.answeringNanos();
    look(from, message, nanos);
    return intake.checkingNanos() + sync.answeringNanos() - before;
  }

  private void look(ReplicaId from, @Nullable PeerMessage message, long nanos) {
    if (from.equals(config.self()) || !config.cluster().has(from)) {
      counts.note(Occurrence.MALFORMED);
      return;
    }
    switch (message) {
      case null -> counts.note(Occurrence.MALFORMED, from);
      case PeerMessage.Events(boolean isAnswer, List<byte[]> events) -> {
        if (isAnswer) {
          sync.answered(from);
        }
        if (intake.take(from, events)) {
          sync.ask(from, nanos);
        }
      }
      case PeerMessage.Sync question -> sync.answer(from, question, nanos);
      case PeerMessage.AskOffers _ -> sync.give(from, snapshots.offers(from, nanos));
      case PeerMessage.Offers(List<PeerMessage.Offer> offers) -> {
        if (!snapshots.offered(from, offers, round())) {
          counts.note(Occurrence.TOO_SOON, from);
        }
      }
      case PeerMessage.AskPiece question -> sync.give(from, snapshots.piece(from, question, nanos));
      case PeerMessage.Piece piece -> consider(from, piece);
    }
  }

  private void consider(ReplicaId from, PeerMessage.Piece piece) {
    switch (snapshots.take(from, piece, round())) {
      case SnapshotSharing.PieceResult.Nothing _ -> {}
      case SnapshotSharing.PieceResult.Unasked _ -> counts.note(Occurrence.TOO_SOON, from);
      case SnapshotSharing.PieceResult.Lie _ -> counts.note(Occurrence.FALSE_SNAPSHOT, from);
      case SnapshotSharing.PieceResult.Whole(byte[] snapshot) -> {
        if (LogSnapshot.decode(snapshot).filter(each -> each.round() >= round()).isPresent()) {
          install(snapshot);
        }
      }
    }
  }

  /** Takes over the state of others, of whom at least one tells the truth. */
  private void install(byte[] snapshot) {
    List<Event> had = graph.since(0);
    List<Event> waited = intake.clear();
    List<Submitter> unknown = own.restart();
    rounds.begin(snapshot);
    List<Event> kept =
        had.stream().filter(event -> event.birthRound() >= rounds.ancientBelow()).toList();
    rounds.remember(kept);
    counts.note(Occurrence.SNAPSHOT_INSTALLED);
    memory.replaying(true);
    kept.forEach(intake::take);
    memory.replaying(false);
    waited.forEach(intake::take);
    unknown.forEach(Submitter::failed);
  }
}
