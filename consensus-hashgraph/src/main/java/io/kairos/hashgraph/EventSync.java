package io.kairos.hashgraph;

import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.time.MonotonicClock;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Asks others for events, answers their questions, and asks for snapshots when too many others no
 * longer keep the events that this replica lacks. On the log's thread only.
 */
final class EventSync {
  /** Pauses between questions after which an answer is not waited for any more. */
  private static final int PAUSES_UNTIL_LOST = 4;

  /** Pauses between questions for which one who has lost its memory has to be level with others. */
  private static final int PAUSES_UNTIL_CAUGHT_UP = 200;

  /** What one replica is sent in answers. */
  private static final int BYTES_PER_SECOND = 16 << 20;

  private final HashgraphConfig config;
  private final HashgraphCore.Network network;
  private final MonotonicClock stopwatch;
  private final EventGraph graph;
  private final Reconciliation reconciliation;
  private final DecidedRounds rounds;
  private final ReplicaMemory memory;
  private final SnapshotSharing snapshots;
  private final PeerRounds peerRounds;
  private final OccurrenceCounts counts;
  private final Peer[] peers;
  private int nextPeer;
  private long nextSyncNanos = Long.MIN_VALUE;
  private long nextAskNanos = Long.MIN_VALUE;
  private long answeringNanos;

  /** When this replica was last seen to be behind the others. */
  private long levelNanos;

  /** Another replica, by its own questions, and the pace of questions in both directions. */
  private static final class Peer {
    private final ReplicaId id;
    private boolean isHeard;
    private long heardNanos;

    /** The round of birth from which on it keeps events. */
    private long keeps;

    private long nextAnswerNanos = Long.MIN_VALUE;
    private final TokenBucket answers =
        new TokenBucket(BYTES_PER_SECOND, Duration.ofSeconds(1).toNanos());
    private long nextQuestionNanos = Long.MIN_VALUE;

    /** True while a question is open, which was asked then. */
    private boolean isAsked;

    private long askedNanos;

    Peer(int number) {
      this.id = new ReplicaId(number);
    }
  }

  EventSync(
      HashgraphConfig config,
      HashgraphCore.Ports ports,
      EventGraph graph,
      Reconciliation reconciliation,
      DecidedRounds rounds,
      ReplicaMemory memory,
      SnapshotSharing snapshots,
      PeerRounds peerRounds,
      OccurrenceCounts counts) {
    this.config = config;
    this.network = ports.network();
    this.stopwatch = ports.stopwatch();
    this.graph = graph;
    this.reconciliation = reconciliation;
    this.rounds = rounds;
    this.memory = memory;
    this.snapshots = snapshots;
    this.peerRounds = peerRounds;
    this.counts = counts;
    this.peers = new Peer[config.cluster().size()];
    Arrays.setAll(peers, Peer::new);
  }

  /** Nanoseconds spent on finding what others lack. */
  long answeringNanos() {
    return answeringNanos;
  }

  /** Asks the next replica, if it is time. */
  void look(boolean isBusy, long nanos) {
    snapshots
        .look(rounds.round(), nanos)
        .ifPresent(question -> send(question.to(), question.message()));
    if (nanos < nextSyncNanos) {
      return;
    }
    nextSyncNanos = nanos + (isBusy ? config.pace().sync() : config.pace().quietSync()).toNanos();
    nextPeer = (nextPeer + 1) % peers.length;
    if (nextPeer == config.self().number()) {
      nextPeer = (nextPeer + 1) % peers.length;
    }
    ask(new ReplicaId(nextPeer), nanos);
  }

  /** A replica has answered the question that was open. */
  void answered(ReplicaId by) {
    peers[by.number()].isAsked = false;
  }

  /**
   * Asks for events, but not before the last question was answered, or is lost: a replica that has
   * much to do would be asked the more, and answer the same again and again.
   */
  void ask(ReplicaId peer, long nanos) {
    Peer asked = peers[peer.number()];
    boolean isOpen =
        asked.isAsked
            && nanos - asked.askedNanos
                < config.pace().sync().multipliedBy(PAUSES_UNTIL_LOST).toNanos();
    boolean isInVain = isFarAhead(asked) && needsSnapshot();
    if (nanos >= asked.nextQuestionNanos && !isOpen && !isInVain) {
      asked.nextQuestionNanos = after(config.pace().answer(), nanos);
      asked.isAsked = true;
      asked.askedNanos = nanos;
      send(
          peer,
          new PeerMessage.Sync(
              rounds.round(),
              rounds.keeps(),
              rounds.ancientBelow(),
              reconciliation.names(peer, PeerMessage.MOST_NAMES)));
    }
  }

  private static long after(Duration pause, long nanos) {
    return nanos + pause.toNanos();
  }

  private void send(ReplicaId peer, PeerMessage message) {
    network.send(peer, message.encode());
  }

  void answer(ReplicaId from, PeerMessage.Sync sync, long nanos) {
    Peer peer = peers[from.number()];
    if (nanos < peer.nextAnswerNanos || !peer.answers.isOpen(nanos)) {
      counts.note(Occurrence.TOO_SOON, from);
      return;
    }
    peer.nextAnswerNanos = after(config.pace().answer().dividedBy(2), nanos);
    peerRounds.says(from, sync.round());
    peer.keeps = sync.keeps();
    peer.isHeard = true;
    peer.heardNanos = nanos;
    long before = stopwatch.nanos();
    List<Event> lacked =
        reconciliation.lackedWith(sync, config.bounds().syncBytes(), PeerMessage.MOST_EVENTS);
    send(from, new PeerMessage.Events(true, lacked.stream().map(Event::bytes).toList()));
    answeringNanos += stopwatch.nanos() - before;
    peer.answers.take(lacked.stream().mapToLong(Event::size).sum(), nanos);
    if (!sync.tips().stream().allMatch(graph::has)) {
      ask(from, nanos);
    }
    askForSnapshots(nanos);
    noteCaughtUp(nanos);
  }

  private void noteCaughtUp(long nanos) {
    long enough = config.pace().sync().multipliedBy(PAUSES_UNTIL_CAUGHT_UP).toNanos();
    long level =
        Arrays.stream(peers)
            .filter(each ->
                each.isHeard
                    && nanos - each.heardNanos < enough
                    && peerRounds.said(each.id) <= rounds.round())
            .count();
    if (level < config.quorum() - 1) {
      levelNanos = nanos;
    } else if (nanos - levelNanos >= enough && memory.silence().caughtUp(rounds.round())) {
      rounds.remember();
    }
  }

  /** True when a peer no longer keeps events that this replica may lack. */
  private boolean isFarAhead(Peer peer) {
    return peer.isHeard
        && peerRounds.said(peer.id) > rounds.round()
        && peer.keeps > rounds.ancientBelow();
  }

  /** True when one at least who tells the truth has forgotten what this replica lacks. */
  private boolean needsSnapshot() {
    return Arrays.stream(peers).filter(this::isFarAhead).count() > config.cluster().mayFail();
  }

  private void askForSnapshots(long nanos) {
    if (!needsSnapshot() || nanos < nextAskNanos || snapshots.isDownloading()) {
      return;
    }
    nextAskNanos = after(config.pace().sync().multipliedBy(4), nanos);
    for (ReplicaId replica : config.cluster().replicas()) {
      if (isFarAhead(peers[replica.number()])) {
        send(replica, snapshots.ask(replica));
      }
    }
  }

  /** Sends a snapshot's offer or piece; counts a question that came too soon or in vain. */
  void give(ReplicaId to, Optional<PeerMessage> answer) {
    answer.ifPresentOrElse(
        message -> send(to, message), () -> counts.note(Occurrence.TOO_SOON, to));
  }
}
