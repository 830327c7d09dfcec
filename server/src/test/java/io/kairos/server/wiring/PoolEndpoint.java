package io.kairos.server.wiring;

import com.sun.net.httpserver.HttpServer;
import io.kairos.client.KairosClient;
import io.kairos.client.PoolDefinition;
import io.kairos.client.push.Push;
import io.kairos.client.push.PushHandler;
import io.kairos.client.push.PushReply;
import io.kairos.client.push.WebhookVerifier;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.function.Consumer;

/** The only endpoint of a pool, on a free port of loopback, until it is closed. */
record PoolEndpoint(HttpServer server) implements AutoCloseable {
  /**
   * Creates the pool.
   *
   * @param pushed receives the text of each push, which then has succeeded
   */
  static PoolEndpoint of(KairosClient client, String pool, Consumer<String> pushed)
      throws IOException {
    return receiving(client, pool, push -> pushed.accept(push.text()));
  }

  /**
   * Creates the pool.
   *
   * @param pushed receives each push, which then has succeeded
   */
  static PoolEndpoint receiving(KairosClient client, String pool, Consumer<Push> pushed)
      throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.start();
    String secret =
        client
            .pools()
            .create(
                PoolDefinition.of(pool).listed("http://127.0.0.1:" + server.getAddress().getPort()))
            .secrets()
            .get(0);
    server.createContext(
        "/",
        new PushHandler(
            WebhookVerifier.of(secret),
            push -> {
              pushed.accept(push);
              return PushReply.done();
            }));
    return new PoolEndpoint(server);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
