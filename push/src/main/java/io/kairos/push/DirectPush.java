package io.kairos.push;

import static java.util.Objects.requireNonNull;

import com.linecorp.armeria.client.RequestOptions;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.util.Exceptions;
import io.kairos.domain.pool.AllowList;
import io.kairos.domain.pool.AnswerRules;
import io.kairos.domain.pool.EndpointUrl;
import io.kairos.domain.task.AttemptOutcome;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Sends single requests to URLs outside of pools. The host is resolved before each request and
 * checked against the allow list, and the request goes to exactly the checked address, which stops
 * DNS rebinding. Thread-safe.
 */
public record DirectPush(PushConnections caller, InstantSource clock) {
  /** Time limit of a request. */
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(8);

  /**
   * Posts a body.
   *
   * @param endpoint scheme, host and port
   * @param path path and query
   * @param id idempotency key, by which the receiver recognizes a repeated request
   * @param ended called once, on any thread, with the outcome as of an attempt at a task
   */
  public void post(
      EndpointUrl endpoint,
      String path,
      String contentType,
      byte[] body,
      String id,
      Consumer<AttemptOutcome> ended) {
    Thread.startVirtualThread(() -> { // name resolution blocks
      try {
        begin(endpoint, request(path, contentType, body, id), ended);
      } catch (RuntimeException e) { // the caller must hear of every end
        ended.accept(new AttemptOutcome.RetryLater("could not be sent: " + e));
      }
    });
  }

  private static HttpRequest request(String path, String contentType, byte[] body, String id) {
    RequestHeaders headers =
        RequestHeaders.builder(HttpMethod.POST, path)
            .set("content-type", contentType)
            .set("user-agent", SignedRequest.USER_AGENT)
            .set("idempotency-key", id)
            .build();
    return HttpRequest.of(headers, HttpData.wrap(body));
  }

  private void begin(EndpointUrl endpoint, HttpRequest request, Consumer<AttemptOutcome> ended) {
    AllowList allowed = caller.allowed();
    Optional<String> refusal = allowed.refusal(endpoint);
    if (refusal.isPresent()) {
      ended.accept(new AttemptOutcome.RetryLater(refusal.get()));
      return;
    }
    List<InetAddress> addresses;
    try {
      addresses = addresses(endpoint);
    } catch (UnknownHostException _) {
      ended.accept(new AttemptOutcome.RetryLater("no address is known of " + endpoint.host()));
      return;
    }
    for (InetAddress address : addresses) {
      refusal = allowed.refusal(endpoint, address);
      if (refusal.isEmpty()) {
        send(endpoint, address, request, ended);
        return;
      }
    }
    ended.accept(
        new AttemptOutcome.RetryLater(refusal.orElse(endpoint.host() + " has no address")));
  }

  private static List<InetAddress> addresses(EndpointUrl endpoint) throws UnknownHostException {
    Optional<InetAddress> literal = endpoint.address();
    if (literal.isPresent()) {
      return List.of(literal.get());
    }
    return endpoint.host().equals("localhost") // never resolved by DNS (RFC 6761)
        ? List.of(InetAddress.getLoopbackAddress())
        : List.of(InetAddress.getAllByName(endpoint.host()));
  }

  private void send(
      EndpointUrl url, InetAddress address, HttpRequest request, Consumer<AttemptOutcome> ended) {
    HttpResponse response =
        caller
            .client(url, PushConnections.endpoint(url, address), null)
            .execute(request, RequestOptions.builder().responseTimeout(ANSWER_WITHIN).build());
    var _ =
        BoundedReader.read(response, false, _ -> false)
            .handle((answer, error) -> {
              ended.accept(
                  answer == null
                      ? new AttemptOutcome.RetryLater(
                          "no answer: " + Exceptions.peel(requireNonNull(error)))
                      : AnswerRules.outcome(answer, clock.instant()));
              return url;
            });
  }
}
