package io.kairos.hashgraph;

import io.kairos.domain.replica.ReplicaId;
import io.kairos.hashgraph.PeerMessage.Offer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Gives snapshots to others, and takes one of them, in pieces. No memory is taken for a snapshot
 * before more replicas than may lie have offered an equal one. All its pieces come from one of
 * these, so that it is known who lied when the digest is not the one that was offered. On the log's
 * thread only.
 */
final class SnapshotSharing {
  /** Snapshots of its own that a replica offers, so that one that is being taken does not go. */
  private static final int KEPT = 2;

  /** Questions that are answered at once; after these they have to be as far apart as looks. */
  private static final int PIECES_AT_ONCE = 8;

  /** In pauses between questions: after these another one is asked, or a snapshot is let go. */
  private static final int PAUSES_UNTIL_LATE = 20;

  private static final int PAUSES_UNTIL_LET_GO = 200;

  /** In pauses between questions: the time for each piece of a whole; doubled for the slow. */
  private static final int PAUSES_FOR_PIECE = 4;

  private static final int MOST_PATIENCE = 8;

  private final HashgraphConfig config;
  private final Deque<Kept> kept = new ArrayDeque<>();
  private final Upload[] uploads;
  private final Map<ReplicaId, List<Offer>> offers = new HashMap<>();
  private final Set<ReplicaId> asked = new HashSet<>();
  private final Set<ReplicaId> liars = new HashSet<>();

  /** How often each was too slow: others are asked before, and it has more time after. */
  private final int[] slow;

  private @Nullable Download download;

  /** A snapshot of this replica, whose digest is calculated when somebody asks. */
  private static final class Kept {
    private final long round;
    private final byte[] bytes;
    private @Nullable Offer offer;

    Kept(long round, byte[] bytes) {
      this.round = round;
      this.bytes = bytes;
    }

    Offer offer() {
      Offer made = offer;
      if (made == null) {
        made = new Offer(round, bytes.length, Offer.digest(bytes));
        offer = made;
      }
      return made;
    }
  }

  /** A replica that takes a snapshot of this one, which is kept for it for a while. */
  private static final class Upload {
    private final TokenBucket pieces;
    private long nextOfferNanos = Long.MIN_VALUE;
    private @Nullable Kept taken;
    private long takenAt;

    Upload(Duration pause) {
      this.pieces =
          new TokenBucket(
              (double) Duration.ofSeconds(1).toNanos() / pause.toNanos(),
              pause.multipliedBy(PIECES_AT_ONCE).toNanos());
    }
  }

  /** A snapshot that is being taken. */
  private static final class Download {
    private final Offer what;
    private final ReplicaId from;
    private final byte[] bytes;
    private int filled;
    private boolean isAsked;

    /** When the next piece was asked for, first and last: a question may be lost. */
    private long askedAt;

    private long askedAgainAt;

    /** Of the first question, of which the time for the whole counts; none before that. */
    private @Nullable Long begunAt;

    Download(Offer what, ReplicaId from) {
      this.what = what;
      this.from = from;
      this.bytes = new byte[what.bytes()];
    }
  }

  /** A message to send. */
  record Question(ReplicaId to, PeerMessage message) {}

  /** Result of a piece. */
  sealed interface PieceResult {
    /** There are more to come, or another replica will be asked. */
    record Nothing() implements PieceResult {}

    /** It was not asked for. */
    record Unasked() implements PieceResult {}

    /** With it, the snapshot is not the one that was offered. */
    record Lie() implements PieceResult {}

    /** The snapshot is whole, and what was offered. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Whole(byte[] snapshot) implements PieceResult {}
  }

  SnapshotSharing(HashgraphConfig config) {
    this.config = config;
    this.slow = new int[config.cluster().size()];
    this.uploads =
        Stream.generate(() -> new Upload(config.pace().create()))
            .limit(config.cluster().size())
            .toArray(Upload[]::new);
  }

  // Snapshots of this replica.

  void made(long round, byte[] snapshot) {
    kept.addFirst(new Kept(round, snapshot));
    if (kept.size() > KEPT) {
      kept.removeLast();
    }
  }

  /** Offers of this replica; empty when it is asked too soon. */
  Optional<PeerMessage> offers(ReplicaId to, long nanos) {
    Upload upload = uploads[to.number()];
    if (nanos < upload.nextOfferNanos) {
      return Optional.empty();
    }
    upload.nextOfferNanos = nanos + config.pace().sync().multipliedBy(2).toNanos();
    return Optional.of(new PeerMessage.Offers(kept.stream().map(Kept::offer).toList()));
  }

  /** A piece of a snapshot; empty when it is asked for too soon, or is not kept. */
  Optional<PeerMessage> piece(ReplicaId to, PeerMessage.AskPiece question, long nanos) {
    Upload upload = uploads[to.number()];
    Kept found =
        Stream.concat(Stream.ofNullable(upload.taken), kept.stream())
            .filter(each -> each.offer().digest().equals(question.digest()))
            .findFirst()
            .orElse(null);
    if (found == null || question.offset() >= found.bytes.length || !upload.pieces.tryTake(nanos)) {
      return Optional.empty();
    }
    upload.taken = found;
    upload.takenAt = nanos;
    int end = Math.min(found.bytes.length, question.offset() + config.bounds().pieceBytes());
    return Optional.of(
        new PeerMessage.Piece(
            question.digest(),
            question.offset(),
            Arrays.copyOfRange(found.bytes, question.offset(), end)));
  }

  // Snapshots of others.

  boolean isDownloading() {
    return download != null;
  }

  /** Asks a replica what it offers. */
  PeerMessage ask(ReplicaId peer) {
    asked.add(peer);
    return new PeerMessage.AskOffers();
  }

  /** Takes offers; false when these were not asked for. */
  boolean offered(ReplicaId by, List<Offer> offered, long round) {
    if (!asked.remove(by)) {
      return false;
    }
    offers.put(by, offered);
    choose(round);
    return true;
  }

  /** Begins to take the latest snapshot that somebody who tells the truth offers too. */
  private void choose(long round) {
    if (download != null) {
      return;
    }
    offers.values().stream()
        .flatMap(List::stream)
        .filter(each -> each.round() >= round)
        .filter(each -> offering(each).count() > config.cluster().mayFail())
        .filter(each -> offering(each).anyMatch(by -> !liars.contains(by)))
        .max(Comparator.comparingLong(Offer::round))
        .ifPresent(what ->
            offering(what)
                .filter(each -> !liars.contains(each))
                .min(Comparator.comparingInt(each -> slow[each.number()]))
                .ifPresent(from -> download = new Download(what, from)));
  }

  private Stream<ReplicaId> offering(Offer what) {
    return config.cluster().replicas().stream()
        .filter(each -> offers.getOrDefault(each, List.of()).contains(what));
  }

  /** Takes a piece. */
  PieceResult take(ReplicaId from, PeerMessage.Piece piece, long round) {
    Download current = download;
    if (current == null
        || !from.equals(current.from)
        || !current.isAsked
        || !piece.digest().equals(current.what.digest())
        || piece.offset() != current.filled) {
      return new PieceResult.Unasked();
    }
    int expected = Math.min(config.bounds().pieceBytes(), current.bytes.length - current.filled);
    if (piece.bytes().length == expected) {
      System.arraycopy(piece.bytes(), 0, current.bytes, current.filled, expected);
      current.filled += expected;
      current.isAsked = false;
      if (current.filled < current.bytes.length) {
        return new PieceResult.Nothing();
      }
      download = null;
      if (Offer.digest(current.bytes).equals(current.what.digest())) {
        offers.clear();
        return new PieceResult.Whole(current.bytes);
      }
    }
    download = null;
    liars.add(from);
    choose(round);
    return new PieceResult.Lie();
  }

  /** Looks at the time: the next question, if one is due. */
  Optional<Question> look(long round, long nanos) {
    for (Upload each : uploads) {
      if (each.taken != null && nanos - each.takenAt > pauses(PAUSES_UNTIL_LET_GO)) {
        each.taken = null;
      }
    }
    Download current = download;
    if (current == null) {
      return Optional.empty();
    }
    boolean isLate = isLate(current, nanos);
    if (isLate || current.what.round() < round) {
      download = null;
      slow[current.from.number()] += isLate ? 1 : 0;
      offers.remove(current.from);
      choose(round);
      return Optional.empty();
    }
    if (current.isAsked && nanos - current.askedAgainAt <= pauses(PAUSES_FOR_PIECE)) {
      return Optional.empty();
    }
    current.begunAt = current.begunAt == null ? nanos : current.begunAt;
    current.askedAt = current.isAsked ? current.askedAt : nanos;
    current.askedAgainAt = nanos;
    current.isAsked = true;
    return Optional.of(
        new Question(
            current.from, new PeerMessage.AskPiece(current.what.digest(), current.filled)));
  }

  /** Late with a piece, or with the whole, which one could draw out until nobody else has it. */
  private boolean isLate(Download current, long nanos) {
    if (current.begunAt == null) {
      return false;
    }
    int pieces = Math.ceilDiv(current.bytes.length, config.bounds().pieceBytes());
    int doublings = Math.min(MOST_PATIENCE, slow[current.from.number()]);
    return nanos - current.begunAt
            > pauses(PAUSES_UNTIL_LATE + PAUSES_FOR_PIECE * pieces) << doublings
        || (current.isAsked && nanos - current.askedAt > pauses(PAUSES_UNTIL_LATE) << doublings);
  }

  private long pauses(int count) {
    return config.pace().sync().multipliedBy(count).toNanos();
  }
}
