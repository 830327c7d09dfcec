package io.kairos.engine.replica;

import io.kairos.engine.replica.OrderedExecution.Checkpoint;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Encodes a replica's votes on its state digests as the command of a request. */
final class DigestBallot {
  private static final int DIGEST_BYTES = 32;
  private static final int VOTE_BYTES = Long.BYTES + DIGEST_BYTES;

  private DigestBallot() {}

  static byte[] encode(List<Checkpoint> votes) {
    ByteBuffer to = ByteBuffer.allocate(votes.size() * VOTE_BYTES);
    votes.forEach(vote -> to.putLong(vote.sequence()).put(vote.digest()));
    return to.array();
  }

  /** Decodes votes; empty for a command that {@link #encode} did not write. */
  static List<Checkpoint> decode(byte[] command) {
    List<Checkpoint> votes = new ArrayList<>();
    if (command.length % VOTE_BYTES == 0) {
      ByteBuffer from = ByteBuffer.wrap(command);
      while (from.hasRemaining()) {
        long sequence = from.getLong();
        byte[] digest = new byte[DIGEST_BYTES];
        from.get(digest);
        votes.add(new Checkpoint(sequence, digest));
      }
    }
    return votes;
  }
}
