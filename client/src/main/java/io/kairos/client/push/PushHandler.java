package io.kairos.client.push;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import io.kairos.client.push.RecentExecutions.State;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives pushes with the HTTP server of the JDK: verifies the signature, answers repeats of
 * finished executions, and passes the others to a {@link Receiver}.
 *
 * <pre>{@code
 * HttpServer server = HttpServer.create(new InetSocketAddress(8080), 0);
 * server.createContext("/jobs", new PushHandler(WebhookVerifier.of(secret), push -> {
 *   resize(push.text());
 *   return PushReply.done();
 * }));
 * }</pre>
 *
 * <p>Thread-safe; called on the server's threads. A server without its own executor handles one
 * request at a time.
 */
public final class PushHandler implements HttpHandler {
  private static final Logger LOG = LoggerFactory.getLogger(PushHandler.class);
  private static final int REMEMBERED = 10_000;
  private static final int MOST_BYTES = 4 << 20;

  private final WebhookVerifier verifier;
  private final RecentExecutions recent;
  private final int mostBytes;
  private final Receiver receiver;

  /**
   * Returns a handler that remembers the latest 10,000 executions and accepts bodies of up to 4
   * MiB.
   */
  public PushHandler(WebhookVerifier verifier, Receiver receiver) {
    this(verifier, new RecentExecutions(REMEMBERED), MOST_BYTES, receiver);
  }

  /**
   * Returns a handler with other bounds.
   *
   * @param recent remembered executions, which several handlers may share
   * @param mostBytes maximum size of a body
   */
  public PushHandler(
      WebhookVerifier verifier, RecentExecutions recent, int mostBytes, Receiver receiver) {
    this.verifier = verifier;
    this.recent = recent;
    this.mostBytes = mostBytes;
    this.receiver = receiver;
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readNBytes(mostBytes + 1);
      send(
          exchange,
          body.length > mostBytes ? HttpAnswer.tooLarge(mostBytes) : answer(exchange, body));
    }
  }

  private HttpAnswer answer(HttpExchange exchange, byte[] body) {
    Push push;
    try {
      push = verifier.verify(exchange.getRequestHeaders()::getFirst, body);
    } catch (NotVerifiedException e) {
      return HttpAnswer.notVerified(e);
    }
    State state = recent.begin(push.executionId());
    if (state != State.FIRST) {
      return state == State.DONE ? HttpAnswer.duplicate() : HttpAnswer.running();
    }
    boolean done = false;
    try {
      PushReply reply = receiver.receive(push);
      done = !reply.isLater();
      return HttpAnswer.of(reply);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return HttpAnswer.of(e);
    } catch (Exception e) {
      LOG.atInfo()
          .addKeyValue("execution", push.executionId())
          .addKeyValue("attempt", push.attempt())
          .setCause(e)
          .log("a push failed");
      return HttpAnswer.of(e);
    } finally {
      recent.ended(push.executionId(), done);
    }
  }

  private static void send(HttpExchange exchange, HttpAnswer answer) throws IOException {
    byte[] text = answer.text().getBytes(StandardCharsets.UTF_8);
    answer.headers().forEach(exchange.getResponseHeaders()::set);
    if (text.length > 0) {
      exchange.getResponseHeaders().set("content-type", "text/plain; charset=utf-8");
    }
    exchange.sendResponseHeaders(answer.status(), text.length == 0 ? -1 : text.length);
    if (text.length > 0) {
      exchange.getResponseBody().write(text);
    }
  }
}
