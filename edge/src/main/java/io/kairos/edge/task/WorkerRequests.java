package io.kairos.edge.task;

import static io.kairos.edge.refusal.InvalidField.readingAll;
import static io.kairos.edge.refusal.InvalidField.require;
import static io.kairos.edge.task.RequestFields.duration;

import io.kairos.api.v1.HeartbeatRequest;
import io.kairos.api.v1.LeaveRequest;
import io.kairos.api.v1.NextWorkRequest;
import io.kairos.api.v1.Progress;
import io.kairos.api.v1.Result;
import io.kairos.api.v1.SetResultRequest;
import io.kairos.domain.check.ArgumentCheck;
import io.kairos.domain.task.AttemptOutcome;
import io.kairos.domain.task.ErrorText;
import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.TaskProgress;
import io.kairos.domain.task.TaskResult;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.edge.call.GivenPayload;
import io.kairos.edge.call.PayloadBytes;
import io.kairos.edge.caller.PresentCaller;
import io.kairos.edge.refusal.InvalidField;
import io.kairos.engine.task.edge.AttemptReport;
import io.kairos.engine.task.edge.WorkRequest;
import io.kairos.engine.task.port.LeaseRenewal;
import io.kairos.engine.task.port.ReportedBy;
import io.kairos.engine.worker.WorkerDetails;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Checks workers' requests and translates them for the engine. Throws {@link InvalidField}. */
public final class WorkerRequests {
  static final Duration LONGEST_WAIT = Duration.ofSeconds(60);

  private static final Duration DEFAULT_WAIT = Duration.ofSeconds(30);
  private static final long DEFAULT_BYTES = 3L << 20;
  private static final long MOST_BYTES = 64L << 20;

  /** A value in all its three forms, with its content type. */
  private static final int MOST_IN_A_RESULT = 3 * TaskResult.MOST_BYTES + 1_000;

  private static final int MOST_IN_A_HOST = 255;
  private static final int MOST_IN_A_VERSION = 128;

  private WorkerRequests() {}

  public static WorkRequest work(NextWorkRequest request) {
    int most = request.getMaxTasks();
    require(most >= 1 && most <= RequestFields.MOST_IN_A_BATCH, "max_tasks", "must be 1 to 1,000");
    long bytes = request.getMaxBytes() == 0 ? DEFAULT_BYTES : request.getMaxBytes();
    require(bytes >= 1 && bytes <= MOST_BYTES, "max_bytes", "must be from 1 byte to 64 MiB");
    RequestFields.batch("handlers", request.getHandlersCount());
    Set<TaskHandler> handlers = new HashSet<>();
    for (int i = 0; i < request.getHandlersCount(); i++) {
      handlers.add(RequestFields.handlerName("handlers[" + i + "]", request.getHandlers(i)));
    }
    said("host", request.getHost(), MOST_IN_A_HOST);
    said("version", request.getVersion(), MOST_IN_A_VERSION);
    require(request.getSlots() >= 0, "slots", "must not be negative");
    return new WorkRequest(
        RequestFields.worker(request.getWorker()),
        handlers,
        most,
        bytes,
        request.getStrictPriority(),
        PresentCaller.name());
  }

  private static void said(String field, String text, int most) {
    require(
        text.length() <= most && ArgumentCheck.isPlain(text),
        field,
        "must have at most " + most + " characters, and no control characters");
  }

  /** Details that the worker gives of itself, for operators. */
  static WorkerDetails details(NextWorkRequest request) {
    return WorkerDetails.of(
        request.getHost(), request.getVersion(), request.getSlots(), request.getHandlersList());
  }

  public static Duration wait(NextWorkRequest request) {
    return duration(request, "wait", LONGEST_WAIT, DEFAULT_WAIT);
  }

  /**
   * The leases to renew.
   *
   * @param lease their new length
   */
  public static List<LeaseRenewal> held(HeartbeatRequest request, Duration lease) {
    RequestFields.worker(request.getWorker());
    RequestFields.batch("held", request.getHeldCount());
    String caller = PresentCaller.name();
    return readingAll(
        "held",
        request.getHeldList(),
        held ->
            new LeaseRenewal(
                fenced(held.getId(), held.getFence()),
                lease,
                caller,
                held.hasProgress() ? progress(held.getProgress()) : null));
  }

  /** Of the note the beginning is kept. */
  static TaskProgress progress(Progress given) {
    int percent = given.getPercent();
    require(percent >= 0 && percent <= 100, "progress.percent", "must be 0 to 100");
    return new TaskProgress(percent, plain(given.getNote()));
  }

  /**
   * The value of a success.
   *
   * @param field goes before the names of its fields in a refusal
   */
  static TaskResult result(String field, io.kairos.api.v1.TaskResult given) {
    boolean isSmall = given.getSerializedSize() <= MOST_IN_A_RESULT;
    require(isSmall, field, "has more than the 262,144 bytes that a result may have");
    io.kairos.api.v1.TaskResult inBytes =
        GivenPayload.inBytes(field + ".", io.kairos.api.v1.TaskResult.class, given);
    String type = inBytes.getContentType();
    require(
        TaskResult.isType(type),
        field + ".content_type",
        "must have at most 200 printable ASCII characters");
    require(
        inBytes.getValue().size() <= TaskResult.MOST_BYTES,
        field + ".value",
        "must be at most 262,144 bytes");
    return new TaskResult(
        PayloadBytes.in(inBytes.getValue()), type.isEmpty() ? typeOf(given) : type);
  }

  /** The content type that its form implies; empty for bytes. */
  private static String typeOf(io.kairos.api.v1.TaskResult given) {
    return given.hasJson() ? "application/json" : given.hasText() ? TaskResult.TEXT : "";
  }

  public static List<AttemptReport> reports(SetResultRequest request) {
    ReportedBy by = new ReportedBy(RequestFields.worker(request.getWorker()), PresentCaller.name());
    RequestFields.batch("results", request.getResultsCount());
    return readingAll(
        "results",
        request.getResultsList(),
        result ->
            new AttemptReport(fenced(result.getId(), result.getFence()), outcome(result), by));
  }

  public static String leaving(LeaveRequest request) {
    return RequestFields.worker(request.getWorker());
  }

  private static FencedTask fenced(String id, long fence) {
    require(fence >= 1, "fence", "must be that of the work, at least 1");
    return new FencedTask(RequestFields.id("id", id), fence);
  }

  private static AttemptOutcome outcome(Result result) {
    return switch (result.getOutcomeCase()) {
      case SUCCESS ->
          result.getSuccess().hasResult()
              ? new AttemptOutcome.Succeeded(
                  result("success.result", result.getSuccess().getResult()))
              : new AttemptOutcome.Succeeded();
      case RETRY_LATER -> retry(result.getRetryLater());
      case FATAL ->
          new AttemptOutcome.Failed(
              kept(result.getFatal().getError()),
              keptClass(result.getFatal().getErrorClass()),
              keptStack(result.getFatal().getStack()));
      case CANCELLED -> new AttemptOutcome.Cancelled();
      case NOT_BEGUN -> new AttemptOutcome.NotBegun();
      case SNOOZED ->
          snoozed("snoozed.delay", result.getSnoozed().hasDelay(), result.getSnoozed().getDelay());
      case OUTCOME_NOT_SET ->
          throw new InvalidField(
              "outcome",
              "one of success, retry_later, fatal, cancelled, not_begun and snoozed must be given");
    };
  }

  /** A task that is put off by this delay, which must be given. */
  static AttemptOutcome snoozed(String field, boolean isGiven, com.google.protobuf.Duration delay) {
    require(isGiven, field, "must be given");
    return new AttemptOutcome.Snoozed(duration(field, delay, AttemptOutcome.Snoozed.LONGEST));
  }

  private static AttemptOutcome retry(Result.RetryLater later) {
    return retry(
        new AttemptOutcome.RetryLater(
            kept(later.getError()), keptClass(later.getErrorClass()), keptStack(later.getStack())),
        "retry_later.delay",
        later.hasDelay(),
        later.getDelay());
  }

  /** A retry after the given delay, or by the retry policy. */
  static AttemptOutcome retry(
      AttemptOutcome.RetryLater failure,
      String field,
      boolean isGiven,
      com.google.protobuf.Duration delay) {
    return isGiven
        ? new AttemptOutcome.RetryAfter(
            failure.error(),
            failure.errorClass(),
            failure.stack(),
            duration(field, delay, RequestFields.YEAR))
        : failure;
  }

  /**
   * The first {@link ErrorText#LONGEST} characters of an error. U+0000 is replaced, because a
   * Postgres text cannot contain it.
   */
  static String kept(String error) {
    return ErrorText.bounded(plain(error));
  }

  private static String plain(String text) {
    return text.replace('\0', '\uFFFD');
  }

  /** The beginning of an error's stack, treated as {@link #kept}. */
  static String keptStack(String stack) {
    return ErrorText.boundedStack(plain(stack));
  }

  /** The beginning of an error's class, treated as {@link #kept}. */
  static String keptClass(String errorClass) {
    return ErrorText.boundedClass(plain(errorClass));
  }
}
