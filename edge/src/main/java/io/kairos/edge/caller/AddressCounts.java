package io.kairos.edge.caller;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.engine.time.MonotonicClock;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Counts something by address, anew in each minute; the addresses of one network of IPv6 (/64) are
 * one, because a host has them all. Of more than {@value #MOST_ADDRESSES} addresses in a minute the
 * further ones are counted together. Thread-safe.
 */
final class AddressCounts {
  private static final int MOST_ADDRESSES = 1_000;
  private static final String OTHERS = "others";
  private static final int NETWORK_BYTES = 8;
  private static final long MINUTE_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final int most;
  private final MonotonicClock monotonic;

  @GuardedBy("this")
  private final Map<String, Integer> counts = new HashMap<>();

  @GuardedBy("this")
  private long sinceNanos;

  /**
   * Nothing is counted yet.
   *
   * @param most the bound of an address for a minute
   */
  AddressCounts(int most, MonotonicClock monotonic) {
    this.most = most;
    this.monotonic = monotonic;
    this.sinceNanos = monotonic.nanos();
  }

  /** Counts one more; returns how many there were before. */
  synchronized int add(String address) {
    String counted = counted(address);
    int before = counts.getOrDefault(counted, 0);
    counts.put(counted, before + 1);
    return before;
  }

  /**
   * True when an address has reached its bound. Those that are counted together have that of
   * {@value #MOST_ADDRESSES} together, so that strangers at many addresses cannot lock everybody
   * else out.
   */
  synchronized boolean isFull(String address) {
    String counted = counted(address);
    int bound = counted.equals(OTHERS) ? most * MOST_ADDRESSES : most;
    return counts.getOrDefault(counted, 0) >= bound;
  }

  /** Under what an address is counted now. */
  @GuardedBy("this")
  private String counted(String address) {
    long now = monotonic.nanos();
    if (now - sinceNanos > MINUTE_NANOS) {
      sinceNanos = now;
      counts.clear();
    }
    String network = network(address);
    return counts.size() < MOST_ADDRESSES || counts.containsKey(network) ? network : OTHERS;
  }

  private static String network(String address) {
    if (address.indexOf(':') < 0) {
      return address;
    }
    try {
      byte[] bytes = InetAddress.ofLiteral(address.replaceFirst("%.*", "")).getAddress();
      return HexFormat.of().formatHex(bytes, 0, Math.min(bytes.length, NETWORK_BYTES));
    } catch (IllegalArgumentException _) { // such as a name
      return address;
    }
  }
}
