package io.kairos.push;

import io.kairos.domain.pool.AllowList;
import io.kairos.domain.pool.PortList;
import io.kairos.engine.setting.ConfigRecord;
import io.kairos.engine.setting.Setting;
import io.kairos.engine.setting.ValueFormat;
import io.kairos.engine.setting.ValueFormats;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;

/** Settings for pushing tasks to endpoints. */
public record PushConfig(
    @Setting(
            key = "push.allow",
            format = PlaceFormat.class,
            description =
                "Endpoints that pools may have: host names, and ranges of addresses. A host name permits public addresses only. Without this setting, this machine while http.host is a loopback address, else none.")
        List<String> allow,
    @Setting(
            key = "push.allow-ports",
            defaultValue = PortList.USUAL,
            format = PortFormat.class,
            description = "Ports that pools may have.")
        List<String> allowPorts,
    @Setting(
            key = "push.max-bytes",
            defaultValue = "128MiB",
            shrinks = true,
            format = ValueFormats.LongSize.class,
            description =
                "Maximum total size of the payloads in flight, and of long answers, over all pools.")
        long maxBytes,
    @Setting(
            key = "push.connect-timeout",
            defaultValue = "3s",
            description = "Time after which an endpoint that accepts no connection is skipped.")
        Duration connectTimeout,
    @Setting(
            key = "push.dns-ttl",
            defaultValue = "30s",
            description = "Longest time for which an answer of DNS is used.")
        Duration dnsTtl) {
  /** Endpoints permitted by default while the HTTP edge serves this machine only. */
  private static final List<String> THIS_MACHINE = List.of("127.0.0.0/8", "::1/128");

  public PushConfig {
    ConfigRecord.check(PushConfig.class, allow, allowPorts, maxBytes, connectTimeout, dnsTtl);
    allow = List.copyOf(allow);
    allowPorts = List.copyOf(allowPorts);
  }

  /** The endpoints that a process may push to whose HTTP edge listens on this address. */
  public AllowList allowed(InetAddress edge) {
    List<String> places = allow.isEmpty() && edge.isLoopbackAddress() ? THIS_MACHINE : allow;
    return AllowList.of(places, PortList.of(allowPorts));
  }

  /** A host name or a range of addresses. */
  static final class PlaceFormat extends ValueFormat<String> {
    PlaceFormat() {
      super(
          "place",
          AllowList.RULE,
          "",
          text -> {
            var _ = AllowList.of(List.of(text), PortList.DEFAULT);
            return text;
          });
    }
  }

  /** A port or a range of ports. */
  static final class PortFormat extends ValueFormat<String> {
    PortFormat() {
      super(
          "port",
          "a port, or a range of ports, from 1 to 65535, such as 443 or 8000-8999",
          "[1-9][0-9]{0,4}(-[1-9][0-9]{0,4})?",
          text -> PortList.of(List.of(text)).toString());
    }
  }
}
