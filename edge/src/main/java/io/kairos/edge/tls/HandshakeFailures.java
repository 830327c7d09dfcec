package io.kairos.edge.tls;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.api.text.TerminalText;
import io.kairos.engine.time.MonotonicClock;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.InetAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts failed handshakes, and logs one line for each address and minute, of at most a hundred
 * addresses: whoever reaches the port can make any number of them. Counts and logs in the same way
 * calls whose client's certificate has become bad after its handshake. Thread-safe.
 */
public final class HandshakeFailures {
  private static final Logger LOG = LoggerFactory.getLogger(HandshakeFailures.class);
  private static final int MOST_ADDRESSES = 100;
  private static final long MINUTE_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final Counter failed;
  private final Counter refusedCalls;
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
    this.refusedCalls =
        Counter.builder("kairos.edge.client.certificate.refused")
            .description(
                "Calls refused because their client's certificate has expired, or its CA was removed, after the handshake")
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

  /**
   * A call is refused because its client's certificate counts no more.
   *
   * @param names of the certificate
   */
  public void refusedCall(InetAddress address, List<String> names, String why) {
    refusedCalls.increment();
    if (isFirst(address)) {
      LOG.atWarn()
          .addKeyValue("address", address.getHostAddress())
          .addKeyValue("names", TerminalText.line(String.join(", ", names)))
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
