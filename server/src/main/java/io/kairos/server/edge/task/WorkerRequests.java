package io.kairos.server.edge.task;

import static io.kairos.server.edge.refusal.InvalidField.require;

import io.kairos.api.v1.HeartbeatRequest;
import io.kairos.api.v1.LeaveRequest;
import io.kairos.api.v1.NextWorkRequest;
import io.kairos.api.v1.Result;
import io.kairos.api.v1.SetResultRequest;
import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.Outcome;
import io.kairos.domain.task.TaskHandler;
import io.kairos.engine.task.Report;
import io.kairos.engine.task.WorkRequest;
import io.kairos.server.edge.refusal.InvalidField;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What workers ask and say, checked and in the engine's words. Throws {@link InvalidField}. */
final class WorkerRequests {
  static final Duration LONGEST_WAIT = Duration.ofSeconds(60);
  static final int KEPT_OF_AN_ERROR = 2_000;

  private static final Duration DEFAULT_WAIT = Duration.ofSeconds(30);
  private static final long DEFAULT_BYTES = 3L << 20;
  private static final long MOST_BYTES = 64L << 20;

  private WorkerRequests() {}

  static WorkRequest work(NextWorkRequest request) {
    int most = request.getMaxTasks();
    require(most >= 1 && most <= Fields.MOST_IN_A_BATCH, "max_tasks", "must be 1 to 1,000");
    long bytes = request.getMaxBytes() == 0 ? DEFAULT_BYTES : request.getMaxBytes();
    require(bytes >= 1 && bytes <= MOST_BYTES, "max_bytes", "must be from 1 byte to 64 MiB");
    Fields.batch("handlers", request.getHandlersCount());
    Set<TaskHandler> handlers = new HashSet<>();
    for (int i = 0; i < request.getHandlersCount(); i++) {
      handlers.add(Fields.handlerName("handlers[" + i + "]", request.getHandlers(i)));
    }
    return new WorkRequest(Fields.worker(request.getWorker()), handlers, most, bytes);
  }

  static Duration wait(NextWorkRequest request) {
    return request.hasWait()
        ? Fields.duration("wait", request.getWait(), LONGEST_WAIT)
        : DEFAULT_WAIT;
  }

  static List<FencedTask> held(HeartbeatRequest request) {
    Fields.worker(request.getWorker());
    int count = request.getHeldCount();
    Fields.batch("held", count);
    List<FencedTask> held = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      try {
        HeartbeatRequest.Held one = request.getHeld(i);
        held.add(fenced(one.getId(), one.getFence()));
      } catch (InvalidField e) {
        throw e.in("held[" + i + "]");
      }
    }
    return held;
  }

  static List<Report> reports(SetResultRequest request) {
    Fields.worker(request.getWorker());
    int count = request.getResultsCount();
    Fields.batch("results", count);
    List<Report> reports = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      try {
        Result result = request.getResults(i);
        reports.add(new Report(fenced(result.getId(), result.getFence()), outcome(result)));
      } catch (InvalidField e) {
        throw e.in("results[" + i + "]");
      }
    }
    return reports;
  }

  static String leaving(LeaveRequest request) {
    return Fields.worker(request.getWorker());
  }

  private static FencedTask fenced(String id, long fence) {
    require(fence >= 1, "fence", "must be that of the work, at least 1");
    return new FencedTask(Fields.id("id", id), fence);
  }

  private static Outcome outcome(Result result) {
    return switch (result.getOutcomeCase()) {
      case SUCCESS -> new Outcome.Succeeded();
      case RETRY_LATER -> retry(result.getRetryLater());
      case FATAL -> new Outcome.Failed(kept(result.getFatal().getError()));
      case CANCELLED -> new Outcome.Cancelled();
      case NOT_BEGUN -> new Outcome.NotBegun();
      case OUTCOME_NOT_SET ->
          throw new InvalidField(
              "outcome",
              "one of success, retry_later, fatal, cancelled and not_begun must be given");
    };
  }

  private static Outcome retry(Result.RetryLater later) {
    String error = kept(later.getError());
    return later.hasDelay()
        ? new Outcome.RetryAfter(
            error, Fields.duration("retry_later.delay", later.getDelay(), Fields.YEAR))
        : new Outcome.RetryLater(error);
  }

  /** As much of an error as is kept, without the one character that no Postgres text can have. */
  static String kept(String error) {
    String text = error.replace('\0', '\uFFFD');
    if (text.length() <= KEPT_OF_AN_ERROR) {
      return text;
    }
    boolean splits = Character.isHighSurrogate(text.charAt(KEPT_OF_AN_ERROR - 1));
    return text.substring(0, splits ? KEPT_OF_AN_ERROR - 1 : KEPT_OF_AN_ERROR);
  }
}
