package io.kairos.push;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import com.linecorp.armeria.client.RequestOptions;
import com.linecorp.armeria.client.UnprocessedRequestException;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.util.Exceptions;
import io.kairos.api.push.SigningSecret;
import io.kairos.domain.pool.AnswerRules;
import io.kairos.domain.pool.AnswerRules.Answer;
import io.kairos.domain.pool.PushRequest;
import io.kairos.domain.task.AttemptOutcome;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.TraceContext;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.task.edge.ClaimedTask;
import io.kairos.push.HeldTask.End;
import io.kairos.push.PushSpans.PushSpan;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One attempt at a task. Sends the request to an endpoint, and at once to another one while the
 * request has reached none. A request that was sent and not answered ends the attempt, because the
 * endpoint may still be working on it. Runs on event loops, one step at a time.
 */
final class PushAttempt {
  private static final Logger LOG = LoggerFactory.getLogger(PushAttempt.class);
  private static final int MOST_ENDPOINTS = 3;

  private final ClaimedTask work;
  private final SignedRequest signed;
  private final PoolRotation rotation;
  private final Tools tools;
  private final PushPorts ports;
  private final LongPredicate room;
  private final Consumer<End> ended;
  private final Set<String> tried = new HashSet<>();
  private volatile @Nullable HttpResponse underWay;
  private volatile boolean abandoned;

  /**
   * The parts that all attempts of a pool share.
   *
   * @param secrets the present signing secrets, the latest first
   */
  record Tools(
      PoolRotation rotation,
      Supplier<List<SigningSecret>> secrets,
      PushPorts ports,
      AvoidedEndpoints avoided) {}

  /**
   * @param room takes room for so many bytes of an answer; false when there is none
   * @param ended called once, unless the attempt is abandoned
   */
  PushAttempt(
      ClaimedTask work,
      SignedRequest signed,
      Tools tools,
      LongPredicate room,
      Consumer<End> ended) {
    this.room = room;
    this.work = work;
    this.signed = signed;
    this.rotation = tools.rotation;
    this.tools = tools;
    this.ports = tools.ports;
    this.ended = ended;
  }

  /** Sends the request to an endpoint that has not been tried. */
  void begin() {
    begin("no endpoint of the pool can be asked");
  }

  private void begin(String lastError) {
    if (abandoned) {
      return;
    }
    Optional<PushTarget> target = tried.size() < MOST_ENDPOINTS ? choose() : Optional.empty();
    if (target.isPresent()) {
      tried.add(target.get().id());
      send(target.get());
    } else {
      // Without an endpoint the attempt has not begun; after failed endpoints it must back off.
      ended.accept(
          new End.With(
              tried.isEmpty()
                  ? new AttemptOutcome.NotBegun()
                  : new AttemptOutcome.RetryLater(lastError, "not sent")));
    }
  }

  /** Prefers an endpoint other than the one that did not answer the last attempt. */
  private Optional<PushTarget> choose() {
    String text = stickyTo();
    Optional<String> last = tools.avoided.of(work.task().id());
    if (last.isPresent()) {
      Set<String> without = new HashSet<>(tried);
      without.add(last.get());
      Optional<PushTarget> other = rotation.choose(text, without);
      if (other.isPresent()) {
        return other;
      }
    }
    return rotation.choose(text, tried);
  }

  /**
   * The routing key, or else the ordering key, or else the name of the schedule that has fired the
   * task; null for none of them.
   */
  private @Nullable String stickyTo() {
    String routing = signed.request().routingKey();
    if (routing != null) {
      return routing;
    }
    OrderingKey key = work.details().key();
    if (key != null) {
      return key.value();
    }
    PushRequest.Fire fire = signed.request().fire();
    return fire == null ? null : fire.schedule();
  }

  private void send(PushTarget target) {
    long sentNanos = ports.monotonic().nanos();
    TraceContext caller = work.details().traceContext();
    PushSpan span = span(target, caller);
    HttpResponse response;
    try {
      response =
          target
              .client()
              .execute(
                  signed.to(
                      target.url(),
                      tools.secrets.get(),
                      ports.clock().instant(),
                      span == null ? caller : span.context()),
                  RequestOptions.builder()
                      .responseTimeout(timeout(rotation.pool().requestTimeout()))
                      .build());
    } catch (RuntimeException e) { // a stored request that cannot be written, such as a bad header
      SendOutcome impossible = new SendOutcome.Impossible("cannot be sent: " + words(e));
      settle(target, impossible);
      end(span, impossible);
      return;
    }
    underWay = response;
    var _ =
        BoundedReader.read(response, rotation.pool().answersLater(), room)
            .handle((answer, error) -> {
              SendOutcome sent =
                  answer == null
                      ? failure(target, requireNonNull(error))
                      : new SendOutcome.Answered(answer, ports.monotonic().nanos() - sentNanos);
              settle(target, sent);
              end(span, sent);
              return target;
            })
            .exceptionally(e -> { // whatever it is, the attempt must not keep its place for ever
              ended.accept(
                  new End.With(
                      new AttemptOutcome.RetryLater(
                          "after the answer: " + e, e.getClass().getName())));
              return target;
            });
    if (abandoned) {
      response.abort();
    }
  }

  /** The span of the request; null for none. A fault of tracing must not change the outcome. */
  private @Nullable PushSpan span(PushTarget target, @Nullable TraceContext caller) {
    if (caller == null || !caller.isSampled()) {
      return null;
    }
    try {
      return ports
          .spans()
          .sending(
              work,
              rotation.pool().name(),
              target.url().toString(),
              caller,
              EpochMicros.of(ports.clock().instant()));
    } catch (RuntimeException e) {
      LOG.warn("the span of a push cannot be made", e);
      return null;
    }
  }

  private void end(@Nullable PushSpan span, SendOutcome sent) {
    if (span == null) {
      return;
    }
    try {
      tell(span, sent);
    } catch (RuntimeException e) {
      LOG.warn("the span of a push cannot be ended", e);
    }
  }

  private void tell(PushSpan span, SendOutcome sent) {
    long untilMicros = EpochMicros.of(ports.clock().instant());
    switch (sent) {
      case SendOutcome.Answered(Answer answer, _) -> span.ended(answer.status(), "", untilMicros);
      case SendOutcome.NotSent(String error) -> span.ended(0, error, untilMicros);
      case SendOutcome.Impossible(String error) -> span.ended(0, error, untilMicros);
      case SendOutcome.Unknown(String error) -> span.ended(0, error, untilMicros);
    }
  }

  /** The shorter one of the pool's timeout and the task's execution timeout. */
  private Duration timeout(Duration pools) {
    Duration tasks = work.details().executionTimeout();
    return tasks == null || pools.compareTo(tasks) <= 0 ? pools : tasks;
  }

  private static SendOutcome failure(PushTarget target, Throwable error) {
    Throwable cause = Exceptions.peel(error);
    if (cause instanceof UnprocessedRequestException unprocessed) {
      return new SendOutcome.NotSent(
          "not sent to "
              + target.id()
              + ": "
              + words(requireNonNullElse(unprocessed.getCause(), unprocessed)));
    }
    if (cause instanceof IllegalArgumentException) {
      return new SendOutcome.Impossible("cannot be sent: " + words(cause));
    }
    return new SendOutcome.Unknown(
        "no answer from " + target.id() + ", it may have been done: " + words(cause));
  }

  private static String words(Throwable cause) {
    String message = cause.getMessage();
    return cause.getClass().getSimpleName() + (message == null ? "" : ": " + message);
  }

  private void settle(PushTarget target, SendOutcome sent) {
    long now = ports.monotonic().nanos();
    if (abandoned) {
      target.undecided(now);
      return;
    }
    switch (sent) {
      case SendOutcome.Answered(Answer answer, long took) -> {
        ports.events().answered(answer.status(), took);
        target.answered(took);
        if (AnswerRules.isIll(answer)) {
          failed(target, now);
        } else {
          target.succeeded(now, took);
        }
        ended.accept(end(answer));
      }
      case SendOutcome.NotSent(String error) -> {
        ports.events().happened(PushEvents.Counted.NOT_SENT);
        failed(target, now);
        begin(error);
      }
      case SendOutcome.Impossible(String error) -> {
        ports.events().happened(PushEvents.Counted.NOT_SENT);
        target.undecided(now);
        ended.accept(new End.With(new AttemptOutcome.Failed(error, "cannot be sent")));
      }
      case SendOutcome.Unknown(String error) -> {
        ports.events().happened(PushEvents.Counted.UNKNOWN);
        failed(target, now);
        tools.avoided.add(work.task().id(), target.id());
        ended.accept(new End.With(again(error)));
      }
    }
  }

  private void failed(PushTarget target, long nowNanos) {
    if (target.failed(nowNanos, rotation.pool().ejection())) {
      ports.events().ejected(rotation.pool().name(), target.id());
    }
  }

  private End end(Answer answer) {
    return answer.goesOn()
        ? new End.Later(timeout(rotation.pool().completionTimeout()))
        : new End.With(AnswerRules.outcome(answer, ports.clock().instant()));
  }

  /** Retries the first attempt at once if another endpoint is ready; else by the retry policy. */
  private AttemptOutcome again(String error) {
    boolean first = work.attempt() == 1;
    boolean others = rotation.isReadyBut(tried);
    return first && others
        ? new AttemptOutcome.RetryAfter(error, "no answer", Duration.ZERO)
        : new AttemptOutcome.RetryLater(error, "no answer");
  }

  /** Aborts the request in flight without calling {@code ended}. */
  void abandon() {
    abandoned = true;
    HttpResponse response = underWay;
    if (response != null) {
      response.abort();
    }
  }
}
