package io.kairos.hashgraph;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.hashgraph.PeerMessage.AskPiece;
import io.kairos.hashgraph.PeerMessage.Offer;
import io.kairos.hashgraph.PeerMessage.Offers;
import io.kairos.hashgraph.PeerMessage.Piece;
import io.kairos.hashgraph.SnapshotSharing.PieceResult;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SnapshotSharingTest {
  private static final ReplicaId SELF = new ReplicaId(0);
  private static final ReplicaId ONE = new ReplicaId(1);
  private static final ReplicaId TWO = new ReplicaId(2);
  private static final ReplicaId THREE = new ReplicaId(3);
  private static final long ROUND = 5;
  private static final long SECOND = 1_000_000_000L;

  private final byte[] snapshot = snapshot();
  private final Offer offer = new Offer(16, snapshot.length, Offer.digest(snapshot));
  private final SnapshotSharing taking = new SnapshotSharing(config(SELF));
  private final SnapshotSharing giving = new SnapshotSharing(config(ONE));
  private long nanos = SECOND;

  private static HashgraphConfig config(ReplicaId self) {
    return new HashgraphConfig(
        self,
        new ReplicaGroup(4, ReplicaGroup.Faults.BYZANTINE),
        "c",
        SimulatedReplica.PACE,
        SimulatedReplica.BOUNDS);
  }

  /** Of three pieces. */
  private static byte[] snapshot() {
    byte[] bytes = new byte[SimulatedReplica.BOUNDS.pieceBytes() * 2 + 7];
    new SplittableRandom(1).nextBytes(bytes);
    return bytes;
  }

  private void offer(ReplicaId by, Offer offered) {
    taking.ask(by);
    assertThat(taking.offered(by, List.of(offered), ROUND)).isTrue();
  }

  private SnapshotSharing.Question question() {
    nanos += SECOND / 100;
    return taking.look(ROUND, nanos).orElseThrow();
  }

  private Piece answer(SnapshotSharing.Question question) {
    return (Piece) giving.piece(SELF, (AskPiece) question.message(), nanos).orElseThrow();
  }

  @Test
  void a_snapshot_is_taken_piece_by_piece_once_one_more_than_may_lie_have_offered_it() {
    giving.made(16, snapshot);
    assertThat(giving.offers(SELF, nanos)).contains(new Offers(List.of(offer)));
    offer(ONE, offer);
    assertThat(taking.isDownloading()).isFalse();
    offer(TWO, offer);
    assertThat(taking.isDownloading()).isTrue();

    assertThat(taking.take(ONE, answer(question()), ROUND)).isInstanceOf(PieceResult.Nothing.class);
    assertThat(taking.take(ONE, answer(question()), ROUND)).isInstanceOf(PieceResult.Nothing.class);
    assertThat(taking.take(ONE, answer(question()), ROUND))
        .isInstanceOfSatisfying(
            PieceResult.Whole.class, whole -> assertThat(whole.snapshot()).isEqualTo(snapshot));
    assertThat(taking.isDownloading()).isFalse();
  }

  @Test
  void offers_that_differ_are_no_offer() {
    offer(ONE, offer);
    offer(TWO, new Offer(16, snapshot.length, Offer.digest(new byte[1])));
    offer(THREE, new Offer(17, snapshot.length, offer.digest()));
    assertThat(taking.isDownloading()).isFalse();
  }

  @Test
  void one_who_sends_another_snapshot_than_it_offered_is_found_and_not_asked_again() {
    giving.made(16, snapshot);
    offer(ONE, offer);
    offer(TWO, offer);
    Piece first = answer(question());
    byte[] changed = first.bytes().clone();
    changed[3] ^= 1;
    taking.take(ONE, new Piece(first.digest(), 0, changed), ROUND);
    taking.take(ONE, answer(question()), ROUND);
    assertThat(taking.take(ONE, answer(question()), ROUND)).isInstanceOf(PieceResult.Lie.class);

    assertThat(question().to()).isEqualTo(TWO);
  }

  @Test
  void a_piece_of_another_length_place_or_sender_is_not_taken() {
    giving.made(16, snapshot);
    offer(ONE, offer);
    offer(TWO, offer);
    Piece piece = answer(question());
    assertThat(taking.take(THREE, piece, ROUND)).isInstanceOf(PieceResult.Unasked.class);
    assertThat(taking.take(ONE, new Piece(piece.digest(), 1, piece.bytes()), ROUND))
        .isInstanceOf(PieceResult.Unasked.class);
    assertThat(
            taking.take(ONE, new Piece(piece.digest(), 0, Arrays.copyOf(piece.bytes(), 9)), ROUND))
        .isInstanceOf(PieceResult.Lie.class);
  }

  @Test
  void one_who_does_not_answer_is_left_for_another() {
    offer(ONE, offer);
    offer(TWO, offer);
    offer(THREE, offer);
    assertThat(question().to()).isEqualTo(ONE);
    nanos += 60 * SECOND;
    assertThat(taking.look(ROUND, nanos)).isEmpty();

    assertThat(question().to()).isEqualTo(TWO);
  }

  private Offer offerLarge(int pieces, ReplicaId... by) {
    byte[] large = new byte[SimulatedReplica.BOUNDS.pieceBytes() * pieces];
    giving.made(32, large);
    Offer offered = new Offer(32, large.length, Offer.digest(large));
    for (ReplicaId each : by) {
      offer(each, offered);
    }
    return offered;
  }

  @Test
  void a_snapshot_of_many_pieces_is_taken_as_fast_as_one_may_ask_for_them() {
    offerLarge(200, ONE, TWO);
    PieceResult result = new PieceResult.Nothing();
    int lost = 0;
    while (taking.isDownloading()) {
      nanos += SECOND / 200;
      SnapshotSharing.Question next = taking.look(ROUND, nanos).orElse(null);
      if (next == null) {
        continue;
      }
      assertThat(next.to()).isEqualTo(ONE);
      Optional<PeerMessage> piece = giving.piece(SELF, (AskPiece) next.message(), nanos);
      if (piece.isPresent()) {
        result = taking.take(ONE, (Piece) piece.orElseThrow(), ROUND);
      } else {
        lost++;
      }
    }
    assertThat(result).isInstanceOf(PieceResult.Whole.class);
    assertThat(lost).isPositive(); // which are asked for again
  }

  @Test
  void one_who_draws_out_its_pieces_is_left_for_another_and_asked_last() {
    Offer offered = offerLarge(100, ONE, TWO, THREE);
    long began = nanos;
    Optional<SnapshotSharing.Question> next = taking.look(ROUND, nanos);
    while (next.isPresent()) {
      nanos += SECOND;
      taking.take(ONE, answer(next.orElseThrow()), ROUND);
      next = taking.look(ROUND, nanos);
    }
    assertThat(nanos - began).isLessThan(40 * SECOND);
    assertThat(question().to()).isEqualTo(TWO);

    taking.take(TWO, new Piece(offered.digest(), 0, new byte[1]), ROUND);
    offer(ONE, offered);
    assertThat(question().to()).isEqualTo(THREE);
  }

  @Test
  void a_snapshot_that_is_being_taken_is_kept_while_later_ones_are_made() {
    giving.made(16, snapshot);
    offer(ONE, offer);
    offer(TWO, offer);
    taking.take(ONE, answer(question()), ROUND);
    for (int round = 32; round < 90; round += 16) {
      giving.made(round, new byte[round]);
    }
    SnapshotSharing.Question next = question();
    assertThat(answer(next).offset()).isEqualTo(SimulatedReplica.BOUNDS.pieceBytes());

    assertThat(giving.look(ROUND, nanos + 60 * SECOND)).isEmpty();
    assertThat(giving.piece(SELF, (AskPiece) next.message(), nanos + 60 * SECOND)).isEmpty();
  }

  @Test
  void pieces_are_not_given_without_end() {
    giving.made(16, snapshot);
    AskPiece question = new AskPiece(offer.digest(), 0);
    long given = 0;
    for (int i = 0; i < 1_000; i++) {
      given += giving.piece(SELF, question, nanos).isPresent() ? 1 : 0;
    }
    assertThat(given).isLessThan(20);
  }
}
