package io.kairos.consensus;

import static io.kairos.domain.check.HashFunction.sha256;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;

/** Stores a replica's state in a file with a checksum; a damaged file is refused. */
final class KeptState {
  private static final int MAGIC = 0x4b524c31; // KRL1
  private static final int DIGEST_BYTES = 32;
  private static final int HEAD_BYTES = Integer.BYTES + DIGEST_BYTES;

  private KeptState() {}

  /** Writes the state with its checksum. */
  static void write(Path file, byte[] state) throws IOException {
    ByteBuffer head =
        ByteBuffer.allocate(HEAD_BYTES).putInt(MAGIC).put(sha256().digest(state)).flip();
    WholeFile.write(file, head, ByteBuffer.wrap(state));
  }

  /** Reads the state. Throws {@link IOException} for a damaged file. */
  static byte[] read(Path file) throws IOException {
    byte[] all = Files.readAllBytes(file);
    if (all.length < HEAD_BYTES || ByteBuffer.wrap(all).getInt() != MAGIC) {
      throw new IOException(file + " holds no state of a replica");
    }
    byte[] state = Arrays.copyOfRange(all, HEAD_BYTES, all.length);
    if (!MessageDigest.isEqual(
        sha256().digest(state), Arrays.copyOfRange(all, Integer.BYTES, HEAD_BYTES))) {
      throw new IOException(file + " is damaged: remove this replica's log, and it gets another");
    }
    return state;
  }
}
