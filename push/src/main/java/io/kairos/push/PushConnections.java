package io.kairos.push;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.ClientFactoryBuilder;
import com.linecorp.armeria.client.Endpoint;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.client.proxy.ProxyConfig;
import com.linecorp.armeria.common.SessionProtocol;
import com.linecorp.armeria.common.TlsKeyPair;
import com.linecorp.armeria.common.util.EventLoopGroups;
import io.kairos.api.tls.TlsMaterial;
import io.kairos.domain.pool.AllowList;
import io.kairos.domain.pool.EndpointUrl;
import io.kairos.domain.pool.Pool;
import io.netty.channel.EventLoopGroup;
import java.net.InetAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The threads and connections of all pushes: two event loops, however many requests are in flight.
 * Each set of credentials has connections of its own. Ignores proxy settings of the environment.
 * Thread-safe.
 */
public final class PushConnections implements AutoCloseable {
  private static final int THREADS = 2;

  /** Pools notice renewed credentials in a second or two. */
  private static final Duration FORMER_KEPT = Pool.LONGEST_REQUEST.plusMinutes(1);

  private final EventLoopGroup threads = EventLoopGroups.newEventLoopGroup(THREADS, "kairos-push");
  private final PushConfig config;
  private final AllowList allowed;
  private final PoolCredentials credentials;

  /** Made for the first pool or push: a node without them starts sooner without. */
  @GuardedBy("this")
  private @Nullable ClientFactory factory;

  /** Made for the first request with these credentials. */
  @GuardedBy("this")
  private final Map<TlsMaterial, ClientFactory> byIdentity = new HashMap<>();

  /** When credentials were first seen to be out of use. */
  @GuardedBy("this")
  private final Map<TlsMaterial, Long> formerSinceNanos = new HashMap<>();

  @GuardedBy("this")
  private boolean closed;

  /** Starts the event loops; requests are limited to the allow list by their senders. */
  public PushConnections(PushConfig config, AllowList allowed, PoolCredentials credentials) {
    this.config = config;
    this.allowed = allowed;
    this.credentials = credentials;
  }

  /**
   * Makes and keeps connections.
   *
   * @param identity credentials for https; null for the system's trust and no client certificate
   */
  synchronized ClientFactory factory(@Nullable TlsMaterial identity) {
    if (identity != null) {
      ClientFactory known = byIdentity.get(identity);
      if (known == null) {
        known = create(identity);
        byIdentity.put(identity, known);
      }
      return known;
    }
    if (factory == null) {
      factory = create(null);
    }
    return factory;
  }

  @GuardedBy("this")
  private ClientFactory create(@Nullable TlsMaterial identity) {
    ClientFactoryBuilder builder =
        ClientFactory.builder()
            .workerGroup(threads, false)
            .maxNumEventLoopsPerEndpoint(THREADS)
            .maxNumEventLoopsPerHttp1Endpoint(THREADS)
            .connectTimeout(config.connectTimeout())
            .proxyConfig(ProxyConfig.direct());
    if (identity != null) {
      addTls(builder, identity);
    }
    ClientFactory created = builder.build();
    if (closed) {
      var _ = created.closeAsync(); // what is sent by a closed one fails
    }
    return created;
  }

  private static void addTls(ClientFactoryBuilder builder, TlsMaterial identity) {
    if (!identity.trusted().isEmpty()) {
      builder.tlsCustomizer(tls -> tls.trustManager(identity.trusted()));
    }
    identity.own().ifPresent(pair -> builder.tls(TlsKeyPair.of(pair.key(), pair.chain())));
  }

  /**
   * Throws {@link IllegalArgumentException} when TLS has no use for credentials, such as for a key
   * of a rare kind; connections that cannot be made later would stop the pushes of all pools.
   */
  static void requireUsable(String name, TlsMaterial identity) {
    ClientFactoryBuilder builder = ClientFactory.builder();
    try {
      addTls(builder, identity);
      var _ = builder.build().closeAsync();
    } catch (RuntimeException e) {
      throw new IllegalArgumentException("TLS cannot use the credentials " + name + ": " + e, e);
    }
  }

  /**
   * Looks at the files of credentials, and closes the connections with former ones when the longest
   * request that may be on them has ended. Called by one step.
   */
  void renew(long nowNanos) {
    credentials.look();
    Set<TlsMaterial> present = credentials.present();
    synchronized (this) {
      formerSinceNanos.keySet().removeAll(present); // such as a renewal that was taken back
      for (TlsMaterial identity : List.copyOf(byIdentity.keySet())) {
        if (!present.contains(identity)) {
          long since = formerSinceNanos.computeIfAbsent(identity, _ -> nowNanos);
          if (nowNanos - since >= FORMER_KEPT.toNanos()) {
            formerSinceNanos.remove(identity);
            close(byIdentity.remove(identity));
          }
        }
      }
    }
  }

  private static void close(@Nullable ClientFactory unused) {
    if (unused != null) {
      var _ = unused.closeAsync();
    }
  }

  PoolCredentials credentials() {
    return credentials;
  }

  PushConfig config() {
    return config;
  }

  AllowList allowed() {
    return allowed;
  }

  static SessionProtocol protocol(EndpointUrl url) {
    return url.tls() ? SessionProtocol.HTTPS : SessionProtocol.H1C;
  }

  /** The endpoint at this address, with the URL's host as its name. */
  static Endpoint endpoint(EndpointUrl url, InetAddress address) {
    String host = url.address().isPresent() ? address.getHostAddress() : url.host();
    return Endpoint.of(host, url.port()).withInetAddress(address);
  }

  WebClient client(EndpointUrl url, Endpoint endpoint, @Nullable TlsMaterial identity) {
    return WebClient.builder(protocol(url), endpoint)
        .factory(factory(identity))
        .maxResponseLength(0) // the reader stops by itself
        .build();
  }

  /** Runs a task on one of the event loops; it must not block. */
  void run(Runnable task) {
    threads.next().execute(task);
  }

  EventLoopGroup threads() {
    return threads;
  }

  @Override
  public synchronized void close() {
    closed = true;
    close(factory);
    byIdentity.values().forEach(PushConnections::close);
    var _ = threads.shutdownGracefully(0, 1, TimeUnit.SECONDS);
  }
}
