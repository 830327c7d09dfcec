package io.kairos.domain.check;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Hash functions that give equal results on every node and in every version. */
public final class HashFunction {
  public static final long FNV_OFFSET = 0xcbf29ce484222325L;
  public static final long FNV_PRIME = 0x100000001b3L;

  private HashFunction() {}

  /** 64-bit FNV-1a over the bytes of the text in UTF-8. */
  public static long fnv(String text) {
    long hash = FNV_OFFSET;
    for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ (each & 0xff)) * FNV_PRIME;
    }
    return hash;
  }

  /**
   * The finalizer of SplitMix64; without it the last letters of a text would change only the low
   * bits.
   */
  public static long mixed(long hash) {
    long z = hash;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }

  public static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
