package io.kairos.server.push;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.proxy.ProxyConfig;
import com.linecorp.armeria.common.util.EventLoopGroups;
import io.kairos.domain.pool.AllowList;
import io.netty.channel.EventLoopGroup;
import java.util.concurrent.TimeUnit;

/**
 * The threads and connections of all pushes: two event loops, however many requests are under way.
 * Connects to no proxy, whatever the environment says.
 */
public final class Caller implements AutoCloseable {
  private static final int THREADS = 2;

  private final EventLoopGroup threads = EventLoopGroups.newEventLoopGroup(THREADS, "kairos-push");
  private final ClientFactory factory;
  private final PushConfig config;
  private final AllowList allowed;

  /** For pushes to where the list allows. */
  public Caller(PushConfig config, AllowList allowed) {
    this.config = config;
    this.allowed = allowed;
    this.factory =
        ClientFactory.builder()
            .workerGroup(threads, false)
            .maxNumEventLoopsPerEndpoint(THREADS)
            .maxNumEventLoopsPerHttp1Endpoint(THREADS)
            .connectTimeout(config.connectTimeout())
            .proxyConfig(ProxyConfig.direct())
            .build();
  }

  ClientFactory factory() {
    return factory;
  }

  PushConfig config() {
    return config;
  }

  AllowList allowed() {
    return allowed;
  }

  /** Runs something on one of the event loops; must not block. */
  void run(Runnable task) {
    threads.next().execute(task);
  }

  EventLoopGroup threads() {
    return threads;
  }

  @Override
  public void close() {
    var _ = factory.closeAsync();
    var _ = threads.shutdownGracefully(0, 1, TimeUnit.SECONDS);
  }
}
