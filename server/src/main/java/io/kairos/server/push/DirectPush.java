package io.kairos.server.push;

import static java.util.Objects.requireNonNull;

import com.linecorp.armeria.client.Endpoint;
import com.linecorp.armeria.client.RequestOptions;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.SessionProtocol;
import com.linecorp.armeria.common.util.Exceptions;
import io.kairos.domain.pool.AllowList;
import io.kairos.domain.pool.AnswerRules;
import io.kairos.domain.pool.EndpointUrl;
import io.kairos.domain.task.Outcome;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Requests to one URL each, outside of pools. What a name stands for is looked up before each
 * request and checked by the allow-list, and exactly that address is connected to (DNS rebinding).
 * Thread-safe.
 */
public final class DirectPush {
  /** By then a request has ended, in one way or the other. */
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(8);

  private final Caller caller;
  private final AllowList allowed;
  private final InstantSource clock;

  public DirectPush(Caller caller, InstantSource clock) {
    this.caller = caller;
    this.allowed = caller.allowed();
    this.clock = clock;
  }

  /**
   * Posts a body.
   *
   * @param endpoint scheme, host and port
   * @param path there, with its query
   * @param id by which the receiver knows the same request when it comes again
   * @param ended told once how it ended, as of an attempt at a task; on any thread
   */
  public void post(
      EndpointUrl endpoint,
      String path,
      String contentType,
      byte[] body,
      String id,
      Consumer<Outcome> ended) {
    Thread.startVirtualThread(() -> { // to look names up blocks
      try {
        begin(endpoint, request(path, contentType, body, id), ended);
      } catch (RuntimeException e) { // what cannot be sent must not hang the others
        ended.accept(new Outcome.RetryLater("could not be sent: " + e));
      }
    });
  }

  private static HttpRequest request(String path, String contentType, byte[] body, String id) {
    RequestHeaders headers =
        RequestHeaders.builder(HttpMethod.POST, path)
            .set("content-type", contentType)
            .set("user-agent", Letter.USER_AGENT)
            .set("idempotency-key", id)
            .build();
    return HttpRequest.of(headers, HttpData.wrap(body));
  }

  private void begin(EndpointUrl endpoint, HttpRequest request, Consumer<Outcome> ended) {
    Optional<String> refusal = allowed.refusal(endpoint);
    if (refusal.isPresent()) {
      ended.accept(new Outcome.RetryLater(refusal.get()));
      return;
    }
    List<InetAddress> addresses;
    try {
      addresses = addresses(endpoint);
    } catch (UnknownHostException _) {
      ended.accept(new Outcome.RetryLater("no address is known of " + endpoint.host()));
      return;
    }
    for (InetAddress address : addresses) {
      refusal = allowed.refusal(endpoint, address);
      if (refusal.isEmpty()) {
        send(endpoint, address, request, ended);
        return;
      }
    }
    ended.accept(new Outcome.RetryLater(refusal.orElse(endpoint.host() + " has no address")));
  }

  private static List<InetAddress> addresses(EndpointUrl endpoint) throws UnknownHostException {
    Optional<InetAddress> literal = endpoint.address();
    if (literal.isPresent()) {
      return List.of(literal.get());
    }
    return endpoint.host().equals("localhost") // not asked for (RFC 6761)
        ? List.of(InetAddress.getLoopbackAddress())
        : List.of(InetAddress.getAllByName(endpoint.host()));
  }

  private void send(
      EndpointUrl url, InetAddress address, HttpRequest request, Consumer<Outcome> ended) {
    Endpoint endpoint =
        Endpoint.of(url.address().isPresent() ? address.getHostAddress() : url.host(), url.port())
            .withInetAddress(address);
    HttpResponse response =
        WebClient.builder(url.tls() ? SessionProtocol.HTTPS : SessionProtocol.H1C, endpoint)
            .factory(caller.factory())
            .maxResponseLength(0) // the reader stops by itself
            .build()
            .execute(request, RequestOptions.builder().responseTimeout(ANSWER_WITHIN).build());
    BoundedReader reader = new BoundedReader(false);
    var _ =
        reader
            .answer()
            .handle((answer, error) -> {
              ended.accept(
                  answer == null
                      ? new Outcome.RetryLater(
                          "no answer: " + Exceptions.peel(requireNonNull(error)))
                      : AnswerRules.outcome(answer, clock.instant()));
              return url;
            });
    response.subscribe(reader);
  }
}
