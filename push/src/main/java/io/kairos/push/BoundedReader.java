package io.kairos.push;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpObject;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.ResponseHeaders;
import io.kairos.api.push.PushHeaders;
import io.kairos.domain.pool.AnswerRules.Answer;
import io.kairos.domain.task.ErrorText;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/**
 * Reads the status of an answer and the first part of its body, and cancels the rest, so that an
 * answer of a gigabyte costs no more memory than one of a few kilobytes. Called on one event loop.
 */
final class BoundedReader implements Subscriber<HttpObject> {
  /** Enough for the longest error text that is kept, at four bytes a character. */
  private static final int MOST_BYTES = 4 * ErrorText.LONGEST;

  private final CompletableFuture<Answer> answer = new CompletableFuture<>();
  private final ByteArrayOutputStream body = new ByteArrayOutputStream();
  private final boolean answersLater;
  private @Nullable Subscription subscription;
  private @Nullable ResponseHeaders headers;

  private BoundedReader(boolean answersLater) {
    this.answersLater = answersLater;
  }

  /**
   * Reads a response.
   *
   * @param answersLater true when every answer 202 means that the attempt goes on
   */
  static CompletableFuture<Answer> read(HttpResponse response, boolean answersLater) {
    BoundedReader reader = new BoundedReader(answersLater);
    response.subscribe(reader);
    return reader.answer;
  }

  @Override
  public void onSubscribe(Subscription given) {
    subscription = given;
    given.request(Long.MAX_VALUE);
  }

  @Override
  public void onNext(HttpObject part) {
    if (part instanceof ResponseHeaders found) {
      if (!found.status().isInformational()) {
        headers = found;
      }
    } else if (part instanceof HttpData data && !answer.isDone()) {
      byte[] bytes = data.array();
      body.write(bytes, 0, Math.min(bytes.length, MOST_BYTES - body.size()));
      if (body.size() >= MOST_BYTES) {
        complete();
        if (subscription != null) {
          subscription.cancel();
        }
      }
    }
  }

  @Override
  public void onComplete() {
    complete();
  }

  /** An answer that breaks off after its status counts as complete. */
  @Override
  public void onError(Throwable error) {
    if (headers == null) {
      answer.completeExceptionally(error);
    } else {
      complete();
    }
  }

  private void complete() {
    ResponseHeaders found = headers;
    if (found == null) {
      answer.completeExceptionally(new IllegalStateException("an answer without a status"));
      return;
    }
    String completion = found.get(PushHeaders.COMPLETION);
    answer.complete(
        new Answer(
            found.status().code(),
            found.get(HttpHeaderNames.RETRY_AFTER),
            answersLater || PushHeaders.LATER.equals(completion),
            PushHeaders.SNOOZE.equals(completion),
            body.toString(StandardCharsets.UTF_8)));
  }
}
