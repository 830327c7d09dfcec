package io.kairos.edge.tls;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.engine.time.MonotonicClock;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.InetAddress;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts failed handshakes, and logs one line for each address and minute, of at most a hundred
 * addresses: whoever reaches the port can make any number of them. Logs in the same way what is
 * found of a client's certificate after its handshake. Thread-safe.
 */
public final class HandshakeFailures {
  private static final Logger LOG = LoggerFactory.getLogger(HandshakeFailures.class);
  private static final int MOST_ADDRESSES = 100;
  private static final long MINUTE_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final Counter failed;
  private final MonotonicClock monotonic;

  @GuardedBy("this")
  private final Set<InetAddress> logged = new HashSet<>();

  @GuardedBy("this")
  private long sinceNanos;

  public HandshakeFailures(MeterRegistry registry) {
    this.failed =
        Counter.builder("kairos.edge.handshakes.failed")
            .description("Connections that ended because their TLS handshake failed")
            .register(registry);
    this.monotonic = registry.config().clock()::monotonicTime;
    this.sinceNanos = monotonic.nanos();
  }

  void failed(InetAddress address, String why) {
    failed.increment();
    if (isFirst(address)) {
      LOG.atWarn()
          .addKeyValue("address", address.getHostAddress())
          .addKeyValue("why", why)
          .log("a TLS handshake failed");
    }
  }

  /** A call was refused because its client's certificate counts no more. */
  public void lapsed(InetAddress address, String why) {
    if (isFirst(address)) {
      LOG.atWarn()
          .addKeyValue("address", address.getHostAddress())
          .addKeyValue("why", why)
          .log("a call was refused and its connection closed");
    }
  }

  private synchronized boolean isFirst(InetAddress address) {
    long now = monotonic.nanos();
    if (now - sinceNanos > MINUTE_NANOS) {
      sinceNanos = now;
      logged.clear();
    }
    return logged.size() < MOST_ADDRESSES && logged.add(address);
  }
}
