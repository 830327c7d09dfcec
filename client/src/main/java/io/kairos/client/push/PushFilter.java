package io.kairos.client.push;

import io.kairos.api.push.PushHeaders;
import io.kairos.client.push.RecentExecutions.State;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * Refuses requests that are not signed, and answers repeats of finished executions, before they
 * reach a servlet. The servlet gets the {@link Push} by {@link #push}, and can read its body as
 * usual. The status of the servlet is the outcome: 2xx is success, 410 is a failure for good, and
 * all others are retried.
 *
 * <p>Needs {@code jakarta.servlet-api}, which the servlet container provides. Thread-safe; works
 * with asynchronous servlets too if it is registered with support for them.
 */
public final class PushFilter implements Filter {
  private static final String ATTRIBUTE = Push.class.getName();
  private static final int REMEMBERED = 10_000;
  private static final int MOST_BYTES = 4 << 20;
  private static final int ACCEPTED = 202;

  private final WebhookVerifier verifier;
  private final RecentExecutions recent;
  private final int mostBytes;

  /**
   * Returns a filter that remembers the latest 10,000 executions and accepts bodies of up to 4 MiB.
   */
  public PushFilter(WebhookVerifier verifier) {
    this(verifier, new RecentExecutions(REMEMBERED), MOST_BYTES);
  }

  /**
   * Returns a filter with other bounds.
   *
   * @param mostBytes maximum size of a body
   */
  public PushFilter(WebhookVerifier verifier, RecentExecutions recent, int mostBytes) {
    this.verifier = verifier;
    this.recent = recent;
    this.mostBytes = mostBytes;
  }

  /** Returns the push of a request that came through the filter. */
  public static Push push(ServletRequest request) {
    if (request.getAttribute(ATTRIBUTE) instanceof Push push) {
      return push;
    }
    throw new IllegalStateException("the request did not come through PushFilter");
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    HttpServletRequest http = (HttpServletRequest) request;
    HttpServletResponse answer = (HttpServletResponse) response;
    byte[] body = http.getInputStream().readNBytes(mostBytes + 1);
    if (body.length > mostBytes) {
      send(answer, HttpAnswer.tooLarge(mostBytes));
      return;
    }
    Push push;
    try {
      push = verifier.verify(http::getHeader, body);
    } catch (NotVerifiedException e) {
      send(answer, HttpAnswer.notVerified(e));
      return;
    }
    State state = recent.begin(push.executionId());
    if (state == State.FIRST) {
      http.setAttribute(ATTRIBUTE, push);
      pass(push, new BufferedRequest(http, body), answer, chain);
    } else {
      send(answer, state == State.DONE ? HttpAnswer.duplicate() : HttpAnswer.running());
    }
  }

  private void pass(
      Push push, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    boolean done = false;
    boolean goesOn = false;
    try {
      chain.doFilter(request, response);
      goesOn = request.isAsyncStarted();
      done = isDone(response);
      if (goesOn) {
        request.getAsyncContext().addListener(new AtItsEnd(push.executionId()), request, response);
      }
    } finally {
      if (!goesOn) {
        recent.ended(push.executionId(), done);
      }
    }
  }

  /** An attempt that goes on after an answer 202 is not done. */
  private static boolean isDone(HttpServletResponse response) {
    int status = response.getStatus();
    boolean later =
        status == ACCEPTED && PushHeaders.LATER.equals(response.getHeader(PushHeaders.COMPLETION));
    return status >= 200 && status < 300 && !later;
  }

  private static void send(HttpServletResponse response, HttpAnswer answer) throws IOException {
    response.setStatus(answer.status());
    answer.headers().forEach(response::setHeader);
    if (!answer.text().isEmpty()) {
      response.setContentType("text/plain; charset=utf-8");
      response.getOutputStream().write(answer.text().getBytes(StandardCharsets.UTF_8));
    }
  }

  /** Is notified when an asynchronous servlet ends. */
  private final class AtItsEnd implements AsyncListener {
    private final String executionId;
    private boolean failed;

    AtItsEnd(String executionId) {
      this.executionId = executionId;
    }

    @Override
    public void onComplete(AsyncEvent event) {
      recent.ended(
          executionId, !failed && isDone((HttpServletResponse) event.getSuppliedResponse()));
    }

    @Override
    public void onTimeout(AsyncEvent event) {
      failed = true;
    }

    @Override
    public void onError(AsyncEvent event) {
      failed = true;
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
      event
          .getAsyncContext()
          .addListener(this, event.getSuppliedRequest(), event.getSuppliedResponse());
    }
  }
}
