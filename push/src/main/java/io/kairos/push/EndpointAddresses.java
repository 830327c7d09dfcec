package io.kairos.push;

import static java.util.Objects.requireNonNullElse;

import com.linecorp.armeria.client.Endpoint;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.client.endpoint.DynamicEndpointGroup;
import com.linecorp.armeria.client.endpoint.EndpointGroup;
import com.linecorp.armeria.client.endpoint.dns.DnsAddressEndpointGroup;
import com.linecorp.armeria.client.endpoint.dns.DnsAddressEndpointGroupBuilder;
import com.linecorp.armeria.client.endpoint.healthcheck.HealthCheckedEndpointGroup;
import io.kairos.api.tls.TlsMaterial;
import io.kairos.domain.pool.EndpointUrl;
import io.kairos.engine.pool.EndpointView;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One URL of a pool and its present addresses: resolved by Armeria, checked against the allow list,
 * and checked for health if the pool has a health path. Connects with the pool's credentials, if it
 * names some. Requests go to exactly the checked addresses, which stops DNS rebinding. Thread-safe.
 */
final class EndpointAddresses implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EndpointAddresses.class);
  private static final int LEAST_TTL_SECONDS = 1;

  private final EndpointUrl url;
  private final PushConnections caller;
  private final @Nullable TlsMaterial identity;
  private final Allowed allowed = new Allowed();
  private final @Nullable DnsAddressEndpointGroup names;
  private final EndpointGroup result;

  /** Reason for each address that the allow list refuses. */
  private volatile Map<String, String> refused = Map.of();

  /** The addresses that the allow list permits. */
  private static final class Allowed extends DynamicEndpointGroup {
    void update(List<Endpoint> endpoints) {
      setEndpoints(endpoints);
    }
  }

  /**
   * Begins to resolve the URL.
   *
   * @param identity the pool's credentials; null for none
   * @param healthPath path of the health check; null for none
   * @param changed called when the endpoints have changed
   */
  EndpointAddresses(
      EndpointUrl url,
      PushPorts ports,
      @Nullable TlsMaterial identity,
      @Nullable String healthPath,
      Runnable changed) {
    this.url = url;
    this.caller = ports.caller();
    this.identity = identity;
    this.names = url.address().isPresent() || isThisMachine() ? null : names(ports.dns());
    this.result = healthPath == null ? allowed : health(healthPath);
    Consumer<List<Endpoint>> listener = _ -> changed.run();
    result.addListener(listener);
    if (names == null) {
      check(List.of(url.address().orElse(InetAddress.getLoopbackAddress())));
    } else {
      names.addListener(found -> check(addresses(found)), true);
    }
  }

  /** True for localhost, which is never resolved by DNS (RFC 6761). */
  private boolean isThisMachine() {
    return url.host().equals("localhost");
  }

  private DnsAddressEndpointGroup names(List<InetSocketAddress> dns) {
    DnsAddressEndpointGroupBuilder builder =
        DnsAddressEndpointGroup.builder(url.host())
            .port(url.port())
            .eventLoop(caller.threads().next())
            .allowEmptyEndpoints(true)
            .ttl(
                LEAST_TTL_SECONDS,
                (int) Math.max(LEAST_TTL_SECONDS, caller.config().dnsTtl().toSeconds()));
    if (!dns.isEmpty()) {
      builder.serverAddresses(dns);
    }
    return builder.build();
  }

  private EndpointGroup health(String path) {
    return HealthCheckedEndpointGroup.builder(allowed, path)
        .useGet(true)
        .protocol(PushConnections.protocol(url))
        .clientFactory(caller.factory(identity))
        .build();
  }

  private static List<InetAddress> addresses(List<Endpoint> found) {
    List<InetAddress> addresses = new ArrayList<>();
    for (Endpoint endpoint : found) {
      String address = endpoint.ipAddr();
      if (address != null) {
        addresses.add(InetAddress.ofLiteral(address));
      }
    }
    return addresses;
  }

  private void check(List<InetAddress> addresses) {
    List<Endpoint> good = new ArrayList<>();
    Map<String, String> bad = new LinkedHashMap<>();
    for (InetAddress address : addresses) {
      Optional<String> refusal = caller.allowed().refusal(url, address);
      if (refusal.isEmpty()) {
        good.add(PushConnections.endpoint(url, address));
      } else {
        bad.put(address.getHostAddress(), refusal.get());
      }
    }
    Map<String, String> before = refused;
    refused = bad;
    allowed.update(good);
    bad.forEach((address, why) -> {
      if (!before.containsKey(address)) {
        LOG.atWarn()
            .addKeyValue("endpoint", url)
            .addKeyValue("why", why)
            .log("an endpoint of a pool is not pushed to");
      }
    });
  }

  EndpointUrl url() {
    return url;
  }

  /** The endpoints to which requests may go now. */
  List<Endpoint> endpoints() {
    return result.endpoints();
  }

  /** A client for one of the endpoints. */
  WebClient client(Endpoint endpoint) {
    return caller.client(url, endpoint, identity);
  }

  /** The addresses to which no requests go now, with the reason. */
  List<EndpointView> excluded() {
    List<EndpointView> views = new ArrayList<>();
    refused.forEach((address, why) -> views.add(new EndpointView(id(address), false, why)));
    Set<String> well = endpoints().stream().map(this::id).collect(Collectors.toSet());
    for (Endpoint endpoint : allowed.endpoints()) {
      if (!well.contains(id(endpoint))) {
        views.add(new EndpointView(id(endpoint), false, "it does not say that it is well"));
      }
    }
    return views;
  }

  /** The id of an endpoint: URL and address. */
  String id(Endpoint endpoint) {
    return id(requireNonNullElse(endpoint.ipAddr(), ""));
  }

  private String id(String address) {
    return url + " " + address;
  }

  @Override
  public void close() {
    result.close();
    allowed.close();
    if (names != null) {
      names.close();
    }
  }
}
