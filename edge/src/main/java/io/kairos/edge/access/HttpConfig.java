package io.kairos.edge.access;

import io.kairos.api.v1.Access.RequestSize;
import io.kairos.edge.caller.CallerConfig;
import io.kairos.edge.caller.CallersConfig;
import io.kairos.edge.session.DashboardConfig;
import io.kairos.edge.tls.TlsConfig;
import io.kairos.engine.setting.ConfigRecord;
import io.kairos.engine.setting.Setting;
import io.kairos.engine.setting.ValueFormats;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;

/**
 * Settings of the HTTP edge.
 *
 * @param callers the callers of the API; if there are none, everybody on this machine may call
 * @param tls TLS of the port; if empty, it speaks plain HTTP
 * @param dashboard the pages below {@code /ui/} and their sessions
 */
public record HttpConfig(
    @Setting(
            key = "http.host",
            defaultValue = "127.0.0.1",
            description =
                "Address that the HTTP edge listens on. One that other machines reach needs http.callers.")
        InetAddress address,
    @Setting(
            key = PORT,
            defaultValue = "7070",
            min = "0",
            max = "65535",
            description = "Port that the HTTP edge listens on; 0 takes a free one.")
        int port,
    @Setting(
            key = "http.max-payload-bytes",
            defaultValue = MAX_PAYLOAD_BYTES,
            min = "1",
            max = "16000000",
            description =
                "Largest payload of a task, in bytes. Clients of gRPC accept 4 MiB in one answer unless they are told otherwise.")
        int maxPayloadBytes,
    @Setting(
            key = "http.max-bytes-in-flight",
            defaultValue = "96MiB",
            min = "8MiB",
            shrinks = true,
            format = ValueFormats.LongSize.class,
            description =
                "Most bytes of requests and answers in memory, over all calls; a third is kept for small requests, and one caller may have half. Further requests are refused as exhausted.")
        long maxBytesInFlight,
    @Setting(
            key = "http.max-connections",
            defaultValue = MAX_CONNECTIONS,
            min = "16",
            max = "100000",
            description =
                "Most connections to the HTTP edge, of which one address may have half. Further ones are closed.")
        int maxConnections,
    CallersConfig callers,
    Optional<TlsConfig> tls,
    DashboardConfig dashboard) {
  public static final String PORT = "http.port";
  private static final String MAX_PAYLOAD_BYTES = "1000000";
  private static final long BYTES_IN_FLIGHT = 96L << 20;
  private static final String MAX_CONNECTIONS = "4000";

  /** The defaults except for the port; only this machine may call. */
  public static HttpConfig local(int port) {
    return of(
        InetAddress.getLoopbackAddress(), port, Integer.parseInt(MAX_PAYLOAD_BYTES), List.of());
  }

  /** The default bounds, without TLS. */
  public static HttpConfig of(
      InetAddress address, int port, int maxPayloadBytes, List<CallerConfig> callers) {
    return of(address, port, maxPayloadBytes, callers, Optional.empty());
  }

  /** The default bounds. */
  public static HttpConfig of(
      InetAddress address,
      int port,
      int maxPayloadBytes,
      List<CallerConfig> callers,
      Optional<TlsConfig> tls) {
    return new HttpConfig(
        address,
        port,
        maxPayloadBytes,
        BYTES_IN_FLIGHT,
        Integer.parseInt(MAX_CONNECTIONS),
        CallersConfig.of(callers),
        tls,
        DashboardConfig.DEFAULT);
  }

  /** Without TLS. */
  public HttpConfig(
      InetAddress address,
      int port,
      int maxPayloadBytes,
      long maxBytesInFlight,
      int maxConnections,
      CallersConfig callers) {
    this(
        address,
        port,
        maxPayloadBytes,
        maxBytesInFlight,
        maxConnections,
        callers,
        Optional.empty(),
        DashboardConfig.DEFAULT);
  }

  /** These settings with TLS. */
  public HttpConfig with(TlsConfig ofPort) {
    return new HttpConfig(
        address,
        port,
        maxPayloadBytes,
        maxBytesInFlight,
        maxConnections,
        callers,
        Optional.of(ofPort),
        dashboard);
  }

  /** These settings with a dashboard. */
  public HttpConfig with(DashboardConfig ofPort) {
    return new HttpConfig(
        address, port, maxPayloadBytes, maxBytesInFlight, maxConnections, callers, tls, ofPort);
  }

  /** True when the port serves the dashboard, if its pages are on the class path. */
  public boolean servesDashboard() {
    return dashboard.isOn().orElse(address.isLoopbackAddress());
  }

  /** The scheme of the port's URLs. */
  public String scheme() {
    return tls.isPresent() ? "https" : "http";
  }

  /** Throws {@link IllegalArgumentException} that names the property and its rule. */
  public HttpConfig {
    ConfigRecord.check(
        HttpConfig.class,
        address,
        port,
        maxPayloadBytes,
        maxBytesInFlight,
        maxConnections,
        callers,
        tls,
        dashboard);
    if (RequestSizes.most(RequestSize.PAYLOAD, maxPayloadBytes)
        > BytesInFlight.mostOfOne(maxBytesInFlight)) {
      throw new IllegalArgumentException(
          "http.max-bytes-in-flight is "
              + maxBytesInFlight
              + " bytes and must be at least six times http.max-payload-bytes and 3 MiB, so that one"
              + " task of the largest size is accepted");
    }
    if (!address.isLoopbackAddress() && callers.isEmpty()) {
      throw new IllegalArgumentException(
          "http.host is an address that other machines reach, and no callers are configured: keep"
              + " 127.0.0.1, or give each caller http.callers.<name>.roles and"
              + " http.callers.<name>.token-sha256");
    }
    if (tls.flatMap(TlsConfig::clientCa).isEmpty()) {
      for (CallerConfig caller : callers.callers()) {
        if (!caller.certificates().isEmpty()) {
          throw new IllegalArgumentException(
              "http.callers."
                  + caller.name()
                  + ".certificates needs http.tls.client-ca, by which certificates are checked");
        }
      }
    }
  }
}
