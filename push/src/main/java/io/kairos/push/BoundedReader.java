package io.kairos.push;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpObject;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.ResponseHeaders;
import io.kairos.api.push.PushHeaders;
import io.kairos.domain.pool.AnswerRules.Answer;
import io.kairos.domain.task.ErrorText;
import io.kairos.domain.task.TaskResult;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/**
 * Reads the status of an answer and its body, and cancels the rest of one that is larger than what
 * is kept, so that an answer of a gigabyte costs no more memory than that. The body of a success is
 * the result of the task; what of it is more than a few kilobytes asks for room first. Called on
 * one event loop.
 */
final class BoundedReader implements Subscriber<HttpObject> {
  /** Enough for the longest error text that is kept, at four bytes a character. */
  private static final int MOST_OF_AN_ERROR = 4 * ErrorText.LONGEST;

  /** One more than a result may have, to tell that there is more. */
  private static final int MOST_OF_A_SUCCESS = TaskResult.MOST_BYTES + 1;

  private final CompletableFuture<Answer> answer = new CompletableFuture<>();
  private final ByteArrayOutputStream body = new ByteArrayOutputStream();
  private final boolean answersLater;
  private final LongPredicate room;

  /** False when the body of a success cannot be kept. */
  private boolean keepsBody = true;

  private @Nullable Subscription subscription;
  private @Nullable ResponseHeaders headers;

  private BoundedReader(boolean answersLater, LongPredicate room) {
    this.answersLater = answersLater;
    this.room = room;
  }

  /**
   * Reads a response.
   *
   * @param answersLater true when every answer 202 means that the attempt goes on
   * @param room takes room for so many more bytes of a success; false when there is none
   */
  static CompletableFuture<Answer> read(
      HttpResponse response, boolean answersLater, LongPredicate room) {
    BoundedReader reader = new BoundedReader(answersLater, room);
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
      int most = isSuccess() ? MOST_OF_A_SUCCESS : MOST_OF_AN_ERROR;
      int taken = Math.min(bytes.length, most - body.size());
      int more = body.size() + taken - Math.max(body.size(), MOST_OF_AN_ERROR);
      keepsBody = more <= 0 || room.test(more);
      if (keepsBody) {
        body.write(bytes, 0, taken);
      }
      if (!keepsBody || body.size() >= most) {
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

  /**
   * An answer that breaks off after its status counts as complete, but half a body is no result.
   */
  @Override
  public void onError(Throwable error) {
    if (headers == null) {
      answer.completeExceptionally(error);
    } else {
      keepsBody = false;
      complete();
    }
  }

  private boolean isSuccess() {
    return headers != null && headers.status().isSuccess();
  }

  private static String type(ResponseHeaders found) {
    String type = found.get(HttpHeaderNames.CONTENT_TYPE, "");
    return TaskResult.isType(type) ? type : "";
  }

  private void complete() {
    ResponseHeaders found = headers;
    if (found == null) {
      answer.completeExceptionally(new IllegalStateException("an answer without a status"));
      return;
    }
    String completion = found.get(PushHeaders.COMPLETION);
    boolean later = answersLater || PushHeaders.LATER.equals(completion);
    boolean isResult =
        isSuccess() && keepsBody && body.size() > 0 && body.size() < MOST_OF_A_SUCCESS;
    answer.complete(
        new Answer(
            found.status().code(),
            found.get(HttpHeaderNames.RETRY_AFTER),
            later,
            PushHeaders.SNOOZE.equals(completion),
            isSuccess() ? "" : body.toString(StandardCharsets.UTF_8),
            isResult ? new TaskResult(body.toByteArray(), type(found)) : TaskResult.NONE));
  }
}
