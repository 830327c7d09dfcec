package io.kairos.server.push;

import static java.util.Objects.requireNonNullElse;

import com.linecorp.armeria.client.Endpoint;
import com.linecorp.armeria.client.endpoint.DynamicEndpointGroup;
import com.linecorp.armeria.client.endpoint.EndpointGroup;
import com.linecorp.armeria.client.endpoint.dns.DnsAddressEndpointGroup;
import com.linecorp.armeria.client.endpoint.dns.DnsAddressEndpointGroupBuilder;
import com.linecorp.armeria.client.endpoint.healthcheck.HealthCheckedEndpointGroup;
import com.linecorp.armeria.common.SessionProtocol;
import io.kairos.domain.pool.EndpointUrl;
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
 * One URL of a pool and the addresses that it stands for now: resolved by Armeria, each checked
 * against the allow-list, and asked for its health if the pool wants that. What comes out carries
 * its address, and exactly that is connected to, so that a name which changes its mind in between
 * (DNS rebinding) leads nowhere else. Thread-safe.
 */
final class Place implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Place.class);
  private static final int LEAST_TTL_SECONDS = 1;

  private final EndpointUrl url;
  private final Caller caller;
  private final Allowed allowed = new Allowed();
  private final @Nullable DnsAddressEndpointGroup names;
  private final EndpointGroup result;

  /** Why, by address, of those that are not allowed. */
  private volatile Map<String, String> refused = Map.of();

  /** The addresses that may be connected to. */
  private static final class Allowed extends DynamicEndpointGroup {
    void are(List<Endpoint> endpoints) {
      setEndpoints(endpoints);
    }
  }

  /**
   * Begins to look.
   *
   * @param healthPath null when health is not asked for
   * @param dns servers to ask; empty for those of the system
   * @param changed told when the endpoints are others
   */
  Place(
      EndpointUrl url,
      Caller caller,
      @Nullable String healthPath,
      List<InetSocketAddress> dns,
      Runnable changed) {
    this.url = url;
    this.caller = caller;
    this.names = url.address().isPresent() || isThisMachine() ? null : names(dns);
    this.result = healthPath == null ? allowed : health(healthPath);
    Consumer<List<Endpoint>> listener = _ -> changed.run();
    result.addListener(listener);
    if (names == null) {
      check(List.of(url.address().orElse(InetAddress.getLoopbackAddress())));
    } else {
      names.addListener(found -> check(addresses(found)), true);
    }
  }

  /** The one name that is not asked for (RFC 6761). */
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
        .protocol(protocol())
        .clientFactory(caller.factory())
        .build();
  }

  /** How to talk: HTTP/2 where TLS can say so, HTTP/1.1 otherwise, which every server speaks. */
  SessionProtocol protocol() {
    return url.tls() ? SessionProtocol.HTTPS : SessionProtocol.H1C;
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
        good.add(endpoint(address));
      } else {
        bad.put(address.getHostAddress(), refusal.get());
      }
    }
    Map<String, String> before = refused;
    refused = bad;
    allowed.are(good);
    bad.forEach((address, why) -> {
      if (!before.containsKey(address)) {
        LOG.atWarn()
            .addKeyValue("endpoint", url)
            .addKeyValue("why", why)
            .log("an endpoint of a pool is not pushed to");
      }
    });
  }

  private Endpoint endpoint(InetAddress address) {
    return Endpoint.of(
            url.address().isPresent() ? address.getHostAddress() : url.host(), url.port())
        .withInetAddress(address);
  }

  EndpointUrl url() {
    return url;
  }

  /** What may be pushed to now. */
  List<Endpoint> endpoints() {
    return result.endpoints();
  }

  /** What is not, and why. */
  List<Sight> excluded() {
    List<Sight> sights = new ArrayList<>();
    refused.forEach((address, why) -> sights.add(new Sight(id(address), false, why)));
    Set<String> well = endpoints().stream().map(this::id).collect(Collectors.toSet());
    for (Endpoint endpoint : allowed.endpoints()) {
      if (!well.contains(id(endpoint))) {
        sights.add(new Sight(id(endpoint), false, "it does not say that it is well"));
      }
    }
    return sights;
  }

  /** What an endpoint is known by: the URL and the address. */
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
