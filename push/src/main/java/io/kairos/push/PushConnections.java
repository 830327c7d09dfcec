package io.kairos.push;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.Endpoint;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.client.proxy.ProxyConfig;
import com.linecorp.armeria.common.SessionProtocol;
import com.linecorp.armeria.common.util.EventLoopGroups;
import io.kairos.domain.pool.AllowList;
import io.kairos.domain.pool.EndpointUrl;
import io.netty.channel.EventLoopGroup;
import java.net.InetAddress;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The threads and connections of all pushes: two event loops, however many requests are in flight.
 * Ignores proxy settings of the environment. Thread-safe.
 */
public final class PushConnections implements AutoCloseable {
  private static final int THREADS = 2;

  private final EventLoopGroup threads = EventLoopGroups.newEventLoopGroup(THREADS, "kairos-push");
  private final PushConfig config;
  private final AllowList allowed;

  /** Made for the first pool or push: a node without them starts sooner without. */
  @GuardedBy("this")
  private @Nullable ClientFactory factory;

  @GuardedBy("this")
  private boolean closed;

  /** Starts the event loops; requests are limited to the allow list by their senders. */
  public PushConnections(PushConfig config, AllowList allowed) {
    this.config = config;
    this.allowed = allowed;
  }

  synchronized ClientFactory factory() {
    if (factory == null) {
      factory =
          ClientFactory.builder()
              .workerGroup(threads, false)
              .maxNumEventLoopsPerEndpoint(THREADS)
              .maxNumEventLoopsPerHttp1Endpoint(THREADS)
              .connectTimeout(config.connectTimeout())
              .proxyConfig(ProxyConfig.direct())
              .build();
      if (closed) {
        var _ = factory.closeAsync(); // what is sent by a closed one fails
      }
    }
    return factory;
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

  WebClient client(EndpointUrl url, Endpoint endpoint) {
    return WebClient.builder(protocol(url), endpoint)
        .factory(factory())
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
    if (factory != null) {
      var _ = factory.closeAsync();
    }
    var _ = threads.shutdownGracefully(0, 1, TimeUnit.SECONDS);
  }
}
