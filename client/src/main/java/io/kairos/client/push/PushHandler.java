package io.kairos.client.push;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import io.kairos.client.push.RecentExecutions.State;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives pushes by the HTTP server of the JDK: checks the signature, answers what has been done
 * already, and gives the rest to a {@link Receiver}.
 *
 * <pre>{@code
 * HttpServer server = HttpServer.create(new InetSocketAddress(8080), 0);
 * server.createContext("/jobs", new PushHandler(WebhookVerifier.of(secret), push -> {
 *   resize(push.text());
 *   return Reply.done();
 * }));
 * }</pre>
 *
 * <p>Thread-safe; called on the server's threads. A server without an executor of its own performs
 * one at a time.
 */
public final class PushHandler implements HttpHandler {
  private static final Logger LOG = LoggerFactory.getLogger(PushHandler.class);
  private static final int REMEMBERED = 10_000;
  private static final int MOST_BYTES = 4 << 20;

  private final WebhookVerifier verifier;
  private final RecentExecutions recent;
  private final int mostBytes;
  private final Receiver receiver;

  /** Remembers the latest 10,000 executions and takes up to 4 MiB. */
  public PushHandler(WebhookVerifier verifier, Receiver receiver) {
    this(verifier, new RecentExecutions(REMEMBERED), MOST_BYTES, receiver);
  }

  /**
   * The same with other bounds.
   *
   * @param recent may be shared by several handlers
   * @param mostBytes of a body
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
      send(exchange, body.length > mostBytes ? Answer.tooLarge(mostBytes) : answer(exchange, body));
    }
  }

  private Answer answer(HttpExchange exchange, byte[] body) {
    Push push;
    try {
      push = verifier.verify(exchange.getRequestHeaders()::getFirst, body);
    } catch (NotVerifiedException e) {
      return Answer.notVerified(e);
    }
    State state = recent.begin(push.executionId());
    if (state != State.FIRST) {
      return state == State.DONE ? Answer.duplicate() : Answer.running();
    }
    boolean done = false;
    try {
      Reply reply = receiver.receive(push);
      done = !reply.isLater();
      return Answer.of(reply);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Answer.of(e);
    } catch (Exception e) {
      LOG.atInfo()
          .addKeyValue("execution", push.executionId())
          .addKeyValue("attempt", push.attempt())
          .setCause(e)
          .log("a push failed");
      return Answer.of(e);
    } finally {
      if (done) {
        recent.done(push.executionId());
      } else {
        recent.failed(push.executionId());
      }
    }
  }

  private static void send(HttpExchange exchange, Answer answer) throws IOException {
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
