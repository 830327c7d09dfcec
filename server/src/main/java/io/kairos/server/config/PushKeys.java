package io.kairos.server.config;

import io.kairos.domain.pool.AllowList;
import io.kairos.domain.pool.PortList;
import io.kairos.server.push.PushConfig;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads how a node pushes to pools. */
public final class PushKeys {
  private static final long MOST_BYTES = 128L << 20;

  /** While the edge itself is for this machine only, so are pools. */
  private static final List<String> THIS_MACHINE = List.of("127.0.0.0/8", "::1/128");

  private static final Kind<List<String>> PLACES =
      new Kind<>(
          "places",
          "a list, separated by commas, in which each is " + AllowList.RULE,
          text -> {
            List<String> places = list(text);
            AllowList.of(places, PortList.DEFAULT);
            return places;
          },
          places -> String.join(", ", places));

  private static final Kind<PortList> PORTS =
      new Kind<>(
          "ports",
          "a list, separated by commas, of " + PortList.RULE,
          text -> PortList.of(list(text)),
          PortList::toString);

  private PushKeys() {}

  private static List<String> list(String text) {
    return Arrays.stream(text.split(",", -1)).map(String::trim).toList();
  }

  /**
   * Asks for every key below {@code push}.
   *
   * @param edge that the HTTP edge listens on; null when that is wrong itself
   * @param maxHeapBytes the virtual machine's bound: with less than 1 GiB the node holds less
   */
  public static Optional<PushConfig> read(
      Settings settings, @Nullable InetAddress edge, long maxHeapBytes) {
    boolean local = edge == null || edge.isLoopbackAddress();
    Optional<List<String>> places =
        settings.optional(
            "push.allow",
            PLACES,
            "Where pools may be: host names, and ranges of addresses. A name opens public addresses only. Without it this machine while http.host is a loopback address, else nowhere.");
    PortList ports =
        settings.value("push.allow-ports", PORTS, PortList.DEFAULT, "Ports that pools may have.");
    long maxBytes =
        settings.value(
            "push.max-bytes",
            Kind.BYTES,
            Math.max(
                1L << 20,
                (long) (MOST_BYTES * DelayKeys.shareOfFullHeap(maxHeapBytes)) >> 20 << 20),
            "Most bytes of requests under way, over all pools. The default is for a heap of 1 GiB or more; with less it shrinks in proportion.");
    Duration connectTimeout =
        settings.value(
            "push.connect-timeout",
            Kind.DURATION,
            Duration.ofSeconds(3),
            "After which an endpoint that takes no connection is passed over.");
    Duration dnsTtl =
        settings.value(
            "push.dns-ttl",
            Kind.DURATION,
            Duration.ofSeconds(30),
            "For how long an answer of DNS is believed at most.");
    return settings.build(() ->
        new PushConfig(
            AllowList.of(places.orElse(local ? THIS_MACHINE : List.of()), ports),
            maxBytes,
            connectTimeout,
            dnsTtl));
  }
}
