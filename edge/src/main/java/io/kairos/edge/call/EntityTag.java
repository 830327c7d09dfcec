package io.kairos.edge.call;

import com.google.protobuf.Message;
import io.kairos.edge.refusal.Refusals;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The entity tag of something that callers edit: a hash of what they may set, so it changes with
 * each change of that and with nothing else. Who read an older one is refused, and cannot overwrite
 * what was changed since.
 */
public final class EntityTag {
  private static final int BYTES = 8;

  private EntityTag() {}

  /** The tag of a message that has only what callers may set. */
  public static String of(Message editable) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(editable.toByteArray());
      return HexFormat.of().formatHex(hash, 0, BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /**
   * Refuses a change of something that has been changed since its caller read it.
   *
   * @param given the caller's tag; empty for one that does not care
   * @param what its kind and its name, such as "the pool billing"
   */
  public static void require(String given, String now, String what) {
    if (!given.isEmpty() && !given.equals(now)) {
      throw Refusals.stale(what, now);
    }
  }
}
