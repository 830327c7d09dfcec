package io.kairos.edge.refusal;

import com.google.protobuf.Any;
import com.google.protobuf.Duration;
import com.google.protobuf.Message;
import com.google.rpc.BadRequest;
import com.google.rpc.Code;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import com.google.rpc.Status;
import io.kairos.api.text.ProtoTime;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.queue.QueueMaker;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.engine.node.StoreUnavailable;
import io.kairos.engine.pool.port.OlderNodesRun;
import io.kairos.engine.pool.port.UnreadablePool;
import io.kairos.engine.schedule.port.UnreadableSchedule;
import io.kairos.engine.task.edge.NoAnswerRoom;
import io.kairos.engine.task.edge.NodeStopping;
import io.kairos.engine.task.edge.NotEnrolled;
import io.kairos.engine.task.edge.TooManyAwaits;
import io.kairos.engine.task.port.InsertResult;
import io.kairos.engine.task.port.NoMoreQueues;
import io.kairos.engine.task.port.TaskStore;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the status, with details, by which a call is refused. Needs no door, and no gRPC. */
public final class Refusals {
  private static final Logger LOG = LoggerFactory.getLogger(Refusals.class);

  /** Long enough for this node to work off a queue, short enough for a client to wait. */
  private static final RetryInfo RETRY_AFTER =
      RetryInfo.newBuilder().setRetryDelay(Duration.newBuilder().setSeconds(1)).build();

  /** Tells a client that nothing was done, so even a call that is not idempotent may be retried. */
  private static final ErrorInfo NOTHING_DONE =
      ErrorInfo.newBuilder().setReason("NOTHING_DONE").setDomain("kairos").build();

  /** The reason of a refusal that HTTP has a status of its own for. */
  public static final String TOO_LARGE = "REQUEST_TOO_LARGE";

  /** The reason of a refusal because another task has the idempotency key. */
  public static final String KEY_TAKEN = "KEY_TAKEN";

  /** The reason of a refusal because something has been changed since its caller read it. */
  public static final String STALE_ETAG = "STALE_ETAG";

  private Refusals() {}

  /** Translates any failure into the status for the caller. */
  public static RefusedCall of(Throwable cause) {
    return switch (cause) {
      case InvalidField e -> invalid(e);
      case NotEnrolled _ -> notReady();
      case StoreUnavailable _ ->
          later(
              Code.UNAVAILABLE,
              "the store did not answer; what was asked may have taken effect or not");
      case NoMoreQueues _ -> tooManyQueues();
      case NoAnswerRoom _ -> noBytesLeft();
      case TooManyAwaits e ->
          tooMuch(e.getMessage() + "; nothing has been done: await fewer at a time");
      case UnreadablePool _, UnreadableSchedule _, OlderNodesRun _ ->
          notInState(String.valueOf(cause.getMessage()));
      case NodeStopping _ -> laterNothingDone(Code.UNAVAILABLE, "this node stops; ask another");
      case RefusedCall e -> e;
      default -> {
        LOG.atError().setCause(cause).log("a call failed for a reason that is not its caller's");
        yield status(Code.INTERNAL, "the node has failed; its log says why");
      }
    };
  }

  private static BadRequest violation(String field, String rule) {
    return BadRequest.newBuilder()
        .addFieldViolations(
            BadRequest.FieldViolation.newBuilder().setField(field).setDescription(rule))
        .build();
  }

  private static RefusedCall invalid(InvalidField refusal) {
    BadRequest violation = violation(refusal.field(), refusal.rule());
    String why = String.valueOf(refusal.getMessage());
    return refusal.details().isEmpty()
        ? status(Code.INVALID_ARGUMENT, why, violation)
        : status(Code.INVALID_ARGUMENT, why, violation, info("INVALID_FIELD", refusal.details()));
  }

  private static ErrorInfo info(String reason, Map<String, String> details) {
    return ErrorInfo.newBuilder()
        .setReason(reason)
        .setDomain("kairos")
        .putAllMetadata(details)
        .build();
  }

  /**
   * The call is about a topic, and this node has no broker; nothing has been done. A node that has
   * one may do what is asked.
   */
  public static RefusedCall noBroker(String field) {
    String rule =
        "is about a Kafka topic, and this node has no broker: ask a node that has one, or name the"
            + " brokers in kafka.bootstrap-servers of this one";
    return status(Code.UNIMPLEMENTED, field + ": " + rule, violation(field, rule));
  }

  /** A node inside an application does not do what the call asks for; a server does. */
  public static RefusedCall notInside(String request) {
    return status(
        Code.UNIMPLEMENTED,
        request
            + ": a node inside an application serves tasks and schedules; for the rest, call a server on the same database");
  }

  /** The node has not started yet, or stops. */
  public static RefusedCall notReady() {
    return laterNothingDone(Code.UNAVAILABLE, "the node is not ready; /readyz says why");
  }

  /** The call cannot be judged yet; nothing has been done. */
  public static RefusedCall notYet(String why) {
    return laterNothingDone(Code.UNAVAILABLE, why);
  }

  /** The entry of the call in the audit log cannot be written; nothing has been done. */
  public static RefusedCall notAudited() {
    return laterNothingDone(
        Code.UNAVAILABLE,
        "the call could not be written to the audit log, because the store did not answer; nothing has been done");
  }

  /** A bound on waiting calls is reached; nothing has been done. */
  public static RefusedCall tooMuch() {
    return laterNothingDone(Code.RESOURCE_EXHAUSTED, "too much is waiting; nothing has been done");
  }

  /** The bytes of all calls in flight, or of this caller's, are used up; nothing has been done. */
  public static RefusedCall noBytesLeft() {
    return laterNothingDone(
        Code.RESOURCE_EXHAUSTED,
        "the requests and answers in flight have as many bytes as they may have"
            + " (http.max-bytes-in-flight), of which one caller may have half; nothing has been done:"
            + " send fewer at a time");
  }

  /** The request is larger than one of its method may be. */
  public static RefusedCall tooLarge(long most) {
    return status(
        Code.RESOURCE_EXHAUSTED,
        "a request of this method has at most " + most + " bytes; send less in one request",
        info(TOO_LARGE, Map.of()));
  }

  /** The request has more elements than one may have. */
  public static RefusedCall tooManyElements(int most) {
    return status(
        Code.INVALID_ARGUMENT,
        "a request has at most " + most + " fields and elements; send less in one request");
  }

  /** The body does not come. */
  public static RefusedCall tooSlow(long seconds) {
    return status(
        Code.DEADLINE_EXCEEDED,
        "the body has not come within " + seconds + " s; nothing has been done");
  }

  /** Compressed requests are refused: nobody knows how large they are. */
  public static RefusedCall compressed(String encoding) {
    return status(
        Code.UNIMPLEMENTED,
        "grpc-encoding: requests may not be compressed, and this one is "
            + encoding
            + "; compress the payloads instead");
  }

  /** Too many wrong tokens came from the caller's address. */
  public static RefusedCall tooManyWrongTokens() {
    return later(
        Code.RESOURCE_EXHAUSTED,
        "authorization: the token is unknown, and many unknown tokens came from your address");
  }

  public static RefusedCall invalid(String why) {
    return status(Code.INVALID_ARGUMENT, why);
  }

  /**
   * A bound on waiting calls is reached; nothing has been done.
   *
   * @param why the bound, and what to do
   */
  public static RefusedCall tooMuch(String why) {
    return laterNothingDone(Code.RESOURCE_EXHAUSTED, why);
  }

  /** Refuses a call that the engine has not taken, because too many wait. */
  public static void requireRoom(boolean taken) {
    if (!taken) {
      throw tooMuch();
    }
  }

  /** A handler has as many unfinished tasks as it may have; nothing has been done. */
  public static RefusedCall exhausted(TaskHandler handler, java.time.Duration delay) {
    RetryInfo retry = RetryInfo.newBuilder().setRetryDelay(ProtoTime.of(delay)).build();
    return status(
        Code.RESOURCE_EXHAUSTED,
        "handler: "
            + handler.wireName()
            + " has as many unfinished tasks as it may have; none was accepted",
        retry,
        NOTHING_DONE);
  }

  /**
   * The task would create a queue, and the bound on queues is reached. Nothing has been done, but
   * clients are not told so, because they would retry in vain.
   */
  public static RefusedCall tooManyQueues() {
    return status(
        Code.RESOURCE_EXHAUSTED,
        "handler: the task needs a new queue, and a queue is a pair of handler and priority. There are %d queues, or this caller has made %d, and no more may be made: use a handler and a priority that exist"
            .formatted(TaskStore.MOST_QUEUES, QueueMaker.MOST_QUEUES));
  }

  /** Another transaction holds a lock for too long; nothing has been done. */
  public static RefusedCall busy() {
    return laterNothingDone(
        Code.UNAVAILABLE,
        "a transaction that has not ended is using the idempotency key, the ordering key, the queue,"
            + " the handler's quota or the batch");
  }

  /**
   * Another task has the idempotency key; nothing has been done.
   *
   * @param at the request's field with the key
   */
  public static RefusedCall taken(String at, InsertResult.Conflict conflict) {
    return switch (conflict.reason()) {
      case EXISTS -> keyIsTaken(Code.ALREADY_EXISTS, at, conflict.existing(), "");
      case NOT_WAITING ->
          keyIsTaken(
              Code.FAILED_PRECONDITION,
              at,
              conflict.existing(),
              ", which is being performed or has ended");
      case ORDERED ->
          keyIsTaken(
              Code.FAILED_PRECONDITION, at, conflict.existing(), ", which has an ordering key");
    };
  }

  private static RefusedCall keyIsTaken(Code code, String at, TaskId existing, String how) {
    return status(
        code,
        at + ": is that of task " + existing + how,
        info(KEY_TAKEN, Map.of("task", existing.toString())));
  }

  public static RefusedCall unknownTask() {
    return status(Code.NOT_FOUND, "id: there is no task with this id, or it has been pruned");
  }

  /** The node that holds the message has not answered; the change may still take effect. */
  public static RefusedCall undecided() {
    return later(
        Code.UNAVAILABLE,
        "the node that holds it has not answered; what was asked may take effect");
  }

  /** The call may take effect or not. */
  public static RefusedCall inDoubt(String why) {
    return later(Code.UNAVAILABLE, why);
  }

  /** This process stops or has not started; another may serve the call. */
  public static RefusedCall stopped(String why) {
    return laterNothingDone(Code.UNAVAILABLE, why);
  }

  /** There is no room. Clients are not told that nothing was done, as they would retry in vain. */
  public static RefusedCall full(String why) {
    return status(Code.RESOURCE_EXHAUSTED, why);
  }

  public static RefusedCall notFound(String why) {
    return status(Code.NOT_FOUND, why);
  }

  public static RefusedCall exists(String why) {
    return status(Code.ALREADY_EXISTS, why);
  }

  /** Another change came first. */
  public static RefusedCall aborted(String why) {
    return status(Code.ABORTED, why);
  }

  /**
   * Something has been changed since its caller read it; nothing has been done.
   *
   * @param what its kind and its name
   * @param now its entity tag; empty when it is not there any more
   */
  public static RefusedCall stale(String what, String now) {
    String why =
        now.isEmpty()
            ? "etag: "
                + what
                + " is not there, so its ETag cannot be the given one; nothing was done: leave the ETag out to create it"
            : "etag: "
                + what
                + " has been changed since you read it, its ETag is now "
                + now
                + "; nothing was done: read it again, make your change to what you read then, and send its new ETag";
    return status(Code.ABORTED, why, info(STALE_ETAG, Map.of("etag", now)));
  }

  public static RefusedCall notInState(String why) {
    return status(Code.FAILED_PRECONDITION, why);
  }

  public static RefusedCall unauthenticated(String why) {
    return status(Code.UNAUTHENTICATED, why);
  }

  public static RefusedCall denied(String why) {
    return status(Code.PERMISSION_DENIED, why);
  }

  private static RefusedCall later(Code code, String why) {
    return status(code, why, RETRY_AFTER);
  }

  private static RefusedCall laterNothingDone(Code code, String why) {
    return status(code, why, RETRY_AFTER, NOTHING_DONE);
  }

  private static RefusedCall status(Code code, String why, Message... details) {
    Status.Builder status = Status.newBuilder().setCode(code.getNumber()).setMessage(why);
    for (Message detail : details) {
      status.addDetails(Any.pack(detail));
    }
    return new RefusedCall(status.build());
  }
}
