package io.kairos.hashgraph;

import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaId;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The head of a journal: a snapshot, and what this replica must not forget.
 *
 * @param snapshot none before the first
 * @param last the last event of this replica, which its next one has to follow; none before the
 *     first
 * @param silentUntil see {@link Silence}
 * @param forkers who is known to have forked; the events that show it may be gone
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record JournalHead(
    Optional<byte[]> snapshot, Optional<byte[]> last, long silentUntil, List<ReplicaId> forkers) {
  private static final byte[] NOTHING = {};
  private static final int FIXED_BYTES = 2 * Long.BYTES + Integer.BYTES;

  JournalHead {
    forkers = List.copyOf(forkers);
  }

  /**
   * The head of the journal of a replica that has taken part before, or perhaps has, and does not
   * know what it made.
   */
  static JournalHead forgotten() {
    return new JournalHead(
        Optional.empty(), Optional.empty(), Silence.unknown().until(), List.of());
  }

  byte[] encode() {
    byte[] snapshotBytes = snapshot.orElse(NOTHING);
    byte[] lastBytes = last.orElse(NOTHING);
    return ByteBuffer.allocate(Math.addExact(FIXED_BYTES + lastBytes.length, snapshotBytes.length))
        .putLong(silentUntil)
        .putLong(forkers.stream().mapToLong(each -> 1L << each.number()).sum())
        .putInt(lastBytes.length)
        .put(lastBytes)
        .put(snapshotBytes)
        .array();
  }

  /** Decodes the head of a journal; empty for other bytes, or for forkers outside the cluster. */
  static Optional<JournalHead> decode(byte[] bytes, ReplicaGroup cluster) {
    ByteBuffer from = ByteBuffer.wrap(bytes);
    if (from.remaining() < FIXED_BYTES) {
      return Optional.empty();
    }
    long silentUntil = from.getLong();
    long forked = from.getLong();
    int lastBytes = from.getInt();
    List<ReplicaId> forkers =
        IntStream.range(0, Long.SIZE)
            .filter(number -> (forked >>> number & 1) == 1)
            .mapToObj(ReplicaId::new)
            .toList();
    if (lastBytes < 0 || lastBytes > from.remaining() || !forkers.stream().allMatch(cluster::has)) {
      return Optional.empty();
    }
    byte[] last = new byte[lastBytes];
    from.get(last);
    byte[] snapshot = new byte[from.remaining()];
    from.get(snapshot);
    return Optional.of(
        new JournalHead(
            Optional.of(snapshot).filter(each -> each.length > 0),
            Optional.of(last).filter(each -> each.length > 0),
            silentUntil,
            forkers));
  }
}
