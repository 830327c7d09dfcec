package io.kairos.server.push;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import com.linecorp.armeria.client.RequestOptions;
import com.linecorp.armeria.client.UnprocessedRequestException;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.util.Exceptions;
import io.kairos.api.push.SigningSecret;
import io.kairos.domain.pool.AnswerRules;
import io.kairos.domain.pool.AnswerRules.Answer;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.Outcome;
import io.kairos.engine.task.Work;
import io.kairos.engine.time.Monotonic;
import io.kairos.server.push.Held.End;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One attempt at a task: sends its request to an endpoint, and to the next one at once as long as
 * nothing has reached any. What was sent and not answered ends it, because the next endpoint must
 * not do it beside the first for longer than need be. Runs on event loops, one thing at a time.
 */
final class Attempt {
  private static final int MOST_ENDPOINTS = 3;

  private final Work work;
  private final Letter letter;
  private final Crew crew;
  private final Supplier<List<SigningSecret>> secrets;
  private final InstantSource clock;
  private final Monotonic monotonic;
  private final PushEvents events;
  private final Shunned shunned;
  private final Consumer<End> ended;
  private final Set<String> tried = new HashSet<>();
  private volatile @Nullable HttpResponse underWay;
  private volatile boolean abandoned;

  /**
   * What an attempt needs beside its task.
   *
   * @param secrets that sign now, the latest first
   */
  record Tools(
      Crew crew,
      Supplier<List<SigningSecret>> secrets,
      InstantSource clock,
      Monotonic monotonic,
      PushEvents events,
      Shunned shunned) {}

  /**
   * @param ended told once
   */
  Attempt(Work work, Letter letter, Tools tools, Consumer<End> ended) {
    this.work = work;
    this.letter = letter;
    this.crew = tools.crew;
    this.secrets = tools.secrets;
    this.clock = tools.clock;
    this.monotonic = tools.monotonic;
    this.events = tools.events;
    this.shunned = tools.shunned;
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
    Optional<Target> target = tried.size() < MOST_ENDPOINTS ? choose() : Optional.empty();
    if (target.isPresent()) {
      tried.add(target.get().id());
      send(target.get());
    } else {
      // An attempt that has reached nobody has not begun; but what fails for long must back off.
      ended.accept(
          new End.With(
              tried.isEmpty() ? new Outcome.NotBegun() : new Outcome.RetryLater(lastError)));
    }
  }

  /** Another than the one that did not answer last time, if there is one (PH-30). */
  private Optional<Target> choose() {
    OrderingKey key = work.details().key();
    String text = key == null ? null : key.value();
    Optional<String> last = shunned.of(work.task().id());
    if (last.isPresent()) {
      Set<String> without = new HashSet<>(tried);
      without.add(last.get());
      Optional<Target> other = crew.choose(text, without);
      if (other.isPresent()) {
        return other;
      }
    }
    return crew.choose(text, tried);
  }

  private void send(Target target) {
    long sentNanos = monotonic.nanos();
    BoundedReader reader = new BoundedReader(crew.pool().answersLater());
    HttpResponse response =
        target
            .client()
            .execute(
                letter.to(target.url(), secrets.get(), clock.instant()),
                RequestOptions.builder()
                    .responseTimeout(timeout(crew.pool().requestTimeout()))
                    .build());
    underWay = response;
    var _ =
        reader
            .answer()
            .handle((answer, error) -> {
              settle(
                  target,
                  answer == null
                      ? failure(target, requireNonNull(error))
                      : new Sent.Answered(answer, monotonic.nanos() - sentNanos));
              return target;
            });
    response.subscribe(reader);
    if (abandoned) {
      response.abort();
    }
  }

  /** The pool's, unless the task has a shorter one. */
  private Duration timeout(Duration pools) {
    Duration tasks = work.details().executionTimeout();
    return tasks == null || pools.compareTo(tasks) <= 0 ? pools : tasks;
  }

  private static Sent failure(Target target, Throwable error) {
    Throwable cause = Exceptions.peel(error);
    if (cause instanceof UnprocessedRequestException unprocessed) {
      return new Sent.NotSent(
          "not sent to "
              + target.id()
              + ": "
              + words(requireNonNullElse(unprocessed.getCause(), unprocessed)));
    }
    if (cause instanceof IllegalArgumentException) {
      return new Sent.Impossible("cannot be sent: " + words(cause));
    }
    return new Sent.Unknown(
        "no answer from " + target.id() + ", it may have been done: " + words(cause));
  }

  private static String words(Throwable cause) {
    String message = cause.getMessage();
    return cause.getClass().getSimpleName() + (message == null ? "" : ": " + message);
  }

  private void settle(Target target, Sent sent) {
    long now = monotonic.nanos();
    if (abandoned) {
      target.undecided(now);
      return;
    }
    switch (sent) {
      case Sent.Answered(Answer answer, long took) -> {
        events.answered(crew.pool().name(), answer.status(), took);
        if (AnswerRules.isIll(answer)) {
          failed(target, now);
        } else {
          target.succeeded(now, took);
        }
        ended.accept(end(answer));
      }
      case Sent.NotSent(String error) -> {
        events.notSent(crew.pool().name());
        failed(target, now);
        begin(error);
      }
      case Sent.Impossible(String error) -> {
        events.notSent(crew.pool().name());
        target.undecided(now);
        ended.accept(new End.With(new Outcome.Failed(error)));
      }
      case Sent.Unknown(String error) -> {
        events.unknown(crew.pool().name());
        failed(target, now);
        shunned.add(work.task().id(), target.id());
        ended.accept(new End.With(again(error)));
      }
    }
  }

  private void failed(Target target, long nowNanos) {
    if (target.failed(nowNanos, crew.pool().ejection())) {
      events.ejected(crew.pool().name(), target.id());
    }
  }

  private End end(Answer answer) {
    return answer.goesOn()
        ? new End.Later(timeout(crew.pool().completionTimeout()))
        : new End.With(AnswerRules.outcome(answer, clock.instant()));
  }

  /** The first time at once, if somebody else can be asked; then by the retry policy. */
  private Outcome again(String error) {
    boolean first = work.attempt() == 1;
    boolean others = crew.isReadyBut(tried);
    return first && others
        ? new Outcome.RetryAfter(error, Duration.ZERO)
        : new Outcome.RetryLater(error);
  }

  /** Breaks off what is under way; nobody is told. */
  void abandon() {
    abandoned = true;
    HttpResponse response = underWay;
    if (response != null) {
      response.abort();
    }
  }
}
