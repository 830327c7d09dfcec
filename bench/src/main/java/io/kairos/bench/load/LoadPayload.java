package io.kairos.bench.load;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * The values of one run: run, sequence number and due time, filled up to the asked length with
 * bytes that do not compress. The node carries them unread; the observer needs nothing else to
 * account for every message. Thread-safe.
 */
public final class LoadPayload {
  /** Shortest value that can be asked for. */
  public static final int MIN_BYTES = 3 * Long.BYTES;

  private static final int SEQUENCE_AT = Long.BYTES;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final int RUN_AT = 0;
  private static final int DUE_AT = 2 * Long.BYTES;

  private final long run;
  private final byte[] template;

  public LoadPayload(long run, int bytes) {
    if (bytes < MIN_BYTES) {
      throw new IllegalArgumentException(
          "a value needs " + MIN_BYTES + " bytes to say what it is, not " + bytes);
    }
    this.run = run;
    template = new byte[bytes];
    new SplittableRandom(run).nextBytes(template);
  }

  /** The values of a run that has a number of its own. */
  public static LoadPayload ofNewRun(int bytes) {
    return new LoadPayload(new SplittableRandom().nextLong() >>> 1, bytes);
  }

  public long run() {
    return run;
  }

  /** The value of a message or task. */
  public byte[] value(long sequence, long dueMicros) {
    byte[] value = template.clone();
    LONG.set(value, RUN_AT, run);
    LONG.set(value, SEQUENCE_AT, sequence);
    LONG.set(value, DUE_AT, dueMicros);
    return value;
  }

  /** The id of a message, unique over all runs. */
  public String id(long sequence) {
    return Long.toHexString(run) + '-' + sequence;
  }

  /** True when the value is one of this run's, whatever became of its filling. */
  public boolean isOurs(byte[] value) {
    return value.length >= MIN_BYTES && (long) LONG.get(value, RUN_AT) == run;
  }

  /** True when the value came out as it went in. */
  public boolean isIntact(byte[] value) {
    return Arrays.equals(value, MIN_BYTES, value.length, template, MIN_BYTES, template.length);
  }

  public static long run(byte[] value) {
    return (long) LONG.get(value, RUN_AT);
  }

  public static long sequence(byte[] value) {
    return (long) LONG.get(value, SEQUENCE_AT);
  }

  public static long dueMicros(byte[] value) {
    return (long) LONG.get(value, DUE_AT);
  }
}
