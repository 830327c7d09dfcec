package io.kairos.engine.cluster;

import static io.kairos.domain.check.ArgumentCheck.require;

import io.kairos.domain.time.EpochMicros;
import java.io.ByteArrayOutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * How often which lateness was seen, in buckets of at most 12.5 % width, from a microsecond to 100
 * days. Counts of several nodes and periods are added without a loss. Kept as some tens of bytes:
 * the largest lateness, then for each bucket in use its distance from the one before and its count,
 * all as varints. Immutable.
 */
public final class LatenessCounts {
  /** Nothing was counted. */
  public static final LatenessCounts NONE = new LatenessCounts(new byte[0]);

  /** Buckets for each power of two are this power of two. */
  private static final int BITS = 3;

  private static final int PER_POWER = 1 << BITS;
  private static final int LARGEST_POWER = 42;
  static final long LARGEST = (1L << (LARGEST_POWER + 1)) - 1;
  static final int BUCKETS = (LARGEST_POWER - BITS + 2) * PER_POWER;

  private static final int MORE = 0x80;
  private static final int SEVEN_BITS = 0x7F;
  private static final int BITS_PER_BYTE = 7;
  private static final int LAST_SHIFT = 56;

  private final byte[] bytes;

  private LatenessCounts(byte[] bytes) {
    this.bytes = bytes;
  }

  /** The bucket of a lateness in microseconds. */
  static int bucket(long micros) {
    long within = Math.clamp(micros, 0, LARGEST);
    if (within < PER_POWER) {
      return (int) within;
    }
    int power = Long.SIZE - 1 - Long.numberOfLeadingZeros(within);
    int part = (int) (within >>> (power - BITS)) & (PER_POWER - 1);
    return (power - BITS + 1) * PER_POWER + part;
  }

  /** The largest lateness of a bucket, in microseconds. */
  static long upperBound(int bucket) {
    if (bucket < PER_POWER) {
      return bucket;
    }
    int shift = bucket / PER_POWER - 1;
    long first = (long) (PER_POWER + bucket % PER_POWER) << shift;
    return first + (1L << shift) - 1;
  }

  /**
   * Counts by bucket.
   *
   * @param largestMicros the largest lateness
   */
  static LatenessCounts of(long[] counts, long largestMicros) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int last = 0;
    for (int bucket = 0; bucket < counts.length; bucket++) {
      if (counts[bucket] > 0) {
        if (out.size() == 0) {
          write(out, largestMicros);
        }
        write(out, bucket - last);
        write(out, counts[bucket]);
        last = bucket;
      }
    }
    return out.size() == 0 ? NONE : new LatenessCounts(out.toByteArray());
  }

  /** One lateness. */
  public static LatenessCounts ofOne(Duration lateness) {
    long micros = Math.clamp(EpochMicros.lengthOf(lateness), 0, LARGEST);
    long[] counts = new long[BUCKETS];
    counts[bucket(micros)] = 1;
    return of(counts, micros);
  }

  private static void write(ByteArrayOutputStream out, long number) {
    long rest = number;
    while (rest > SEVEN_BITS) {
      out.write((int) (rest & SEVEN_BITS) | MORE);
      rest >>>= BITS_PER_BYTE;
    }
    out.write((int) rest);
  }

  /**
   * Reads what {@link #bytes} has written.
   *
   * @throws IllegalArgumentException for other bytes
   */
  public static LatenessCounts ofBytes(byte[] written) {
    LatenessCounts read = new LatenessCounts(written.clone());
    var _ = read.addTo(new long[BUCKETS]);
    return read;
  }

  /** A copy of the bytes by which it is stored; none for nothing. */
  public byte[] bytes() {
    return bytes.clone();
  }

  /** Adds these counts to others by bucket; returns the largest lateness. */
  private long addTo(long[] counts) {
    if (bytes.length == 0) {
      return 0;
    }
    try {
      ByteBuffer in = ByteBuffer.wrap(bytes);
      long largest = read(in);
      long bucket = 0;
      while (in.hasRemaining()) {
        bucket += read(in);
        require(bucket >= 0 && bucket < BUCKETS, "these are no counts of lateness");
        counts[(int) bucket] += read(in);
      }
      return largest;
    } catch (BufferUnderflowException e) {
      throw new IllegalArgumentException("these are no counts of lateness", e);
    }
  }

  private static long read(ByteBuffer in) {
    long number = 0;
    for (int shift = 0; shift <= LAST_SHIFT; shift += BITS_PER_BYTE) {
      byte next = in.get();
      number |= (long) (next & SEVEN_BITS) << shift;
      if (next >= 0) {
        return number;
      }
    }
    throw new IllegalArgumentException("these are no counts of lateness");
  }

  /** These and the others. */
  public LatenessCounts plus(LatenessCounts others) {
    if (bytes.length == 0 || others.bytes.length == 0) {
      return bytes.length == 0 ? others : this;
    }
    long[] counts = new long[BUCKETS];
    return of(counts, Math.max(addTo(counts), others.addTo(counts)));
  }

  /** How many were counted. */
  public long total() {
    long[] counts = new long[BUCKETS];
    var _ = addTo(counts);
    return Arrays.stream(counts).sum();
  }

  /** Percentiles, each the upper bound of its bucket but at most {@code max}. */
  public record Percentiles(
      Duration p50, Duration p90, Duration p99, Duration p999, Duration max) {}

  /** The percentiles; null when nothing was counted. */
  public @Nullable Percentiles percentiles() {
    if (bytes.length == 0) {
      return null;
    }
    long[] counts = new long[BUCKETS];
    long largest = addTo(counts);
    long total = Arrays.stream(counts).sum();
    return new Percentiles(
        at(counts, total, largest, 0.5),
        at(counts, total, largest, 0.9),
        at(counts, total, largest, 0.99),
        at(counts, total, largest, 0.999),
        Duration.of(largest, ChronoUnit.MICROS));
  }

  private static Duration at(long[] counts, long total, long largest, double quantile) {
    long left = (long) Math.ceil(total * quantile);
    for (int bucket = 0; bucket < counts.length; bucket++) {
      left -= counts[bucket];
      if (left <= 0) {
        return Duration.of(Math.min(upperBound(bucket), largest), ChronoUnit.MICROS);
      }
    }
    return Duration.of(largest, ChronoUnit.MICROS);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof LatenessCounts counts && Arrays.equals(bytes, counts.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return total() + " of " + percentiles();
  }
}
