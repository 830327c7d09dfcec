package io.kairos.server.edge.refusal;

import com.google.protobuf.Any;
import com.google.protobuf.Duration;
import com.google.protobuf.Message;
import com.google.rpc.BadRequest;
import com.google.rpc.Code;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import com.google.rpc.Status;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.kairos.domain.task.TaskHandler;
import io.kairos.domain.task.TaskId;
import io.kairos.engine.node.StoreUnavailable;
import io.kairos.engine.task.NodeStopping;
import io.kairos.engine.task.NotEnrolled;
import io.kairos.engine.task.port.InsertResult;
import io.kairos.engine.task.port.NoMoreQueues;
import io.kairos.engine.task.port.TaskStore;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a call is told that cannot be answered, as a status with its details. */
public final class Refusals {
  private static final Logger LOG = LoggerFactory.getLogger(Refusals.class);

  /** Long enough for a queue of this node to be worked off, short enough to be tried again. */
  private static final RetryInfo RETRY_AFTER =
      RetryInfo.newBuilder().setRetryDelay(Duration.newBuilder().setSeconds(1)).build();

  /** Tells a client that it may repeat even what must not happen twice. */
  private static final ErrorInfo NOTHING_DONE =
      ErrorInfo.newBuilder().setReason("NOTHING_DONE").setDomain("kairos").build();

  private Refusals() {}

  /** The one place that says what a failure means to a caller. */
  public static StatusRuntimeException of(Throwable cause) {
    return switch (cause) {
      case InvalidField e -> invalid(e);
      case NotEnrolled _ -> notReady();
      case StoreUnavailable _ ->
          later(
              Code.UNAVAILABLE,
              "the store did not answer; what was asked may have taken effect or not");
      case NoMoreQueues _ -> tooManyQueues();
      case NodeStopping _ -> laterNothingDone(Code.UNAVAILABLE, "this node stops; ask another");
      case StatusRuntimeException e -> e;
      case StatusException e -> new StatusRuntimeException(e.getStatus(), e.getTrailers());
      default -> {
        LOG.atError().setCause(cause).log("a call failed for a reason that is not its caller's");
        yield status(Code.INTERNAL, "the node has failed; its log says why");
      }
    };
  }

  private static StatusRuntimeException invalid(InvalidField refusal) {
    BadRequest violation =
        BadRequest.newBuilder()
            .addFieldViolations(
                BadRequest.FieldViolation.newBuilder()
                    .setField(refusal.field())
                    .setDescription(refusal.rule()))
            .build();
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

  /** The node cannot take tasks yet, or no longer. */
  public static StatusRuntimeException notReady() {
    return laterNothingDone(Code.UNAVAILABLE, "the node is not ready; /readyz says why");
  }

  /** Too much is waiting already; nothing has happened. */
  public static StatusRuntimeException tooMuch() {
    return laterNothingDone(Code.RESOURCE_EXHAUSTED, "too much is waiting; nothing has been done");
  }

  /** A handler has as many tasks as it may have; nothing has happened. */
  public static StatusRuntimeException exhausted(TaskHandler handler, java.time.Duration delay) {
    RetryInfo retry =
        RetryInfo.newBuilder()
            .setRetryDelay(
                Duration.newBuilder().setSeconds(delay.getSeconds()).setNanos(delay.getNano()))
            .build();
    return status(
        Code.RESOURCE_EXHAUSTED,
        "handler: "
            + handler.wireName()
            + " has as many unfinished tasks as it may have; none was accepted",
        retry,
        NOTHING_DONE);
  }

  /**
   * A new pair of handler and priority, of which there are enough. Nothing has happened, but
   * clients are not told so: they would repeat it.
   */
  public static StatusRuntimeException tooManyQueues() {
    return status(
        Code.RESOURCE_EXHAUSTED,
        "handler: there are "
            + TaskStore.MOST_QUEUES
            + " queues of handlers and priorities already, and this would be a new one");
  }

  /** Somebody's transaction that does not end is in the way; nothing has happened. */
  public static StatusRuntimeException busy() {
    return laterNothingDone(
        Code.UNAVAILABLE,
        "a transaction that has not ended is using the idempotency key, the ordering key, the queue"
            + " or the handler's quota");
  }

  /**
   * An idempotency key is taken; nothing has happened.
   *
   * @param at the field with the key
   */
  public static StatusRuntimeException taken(String at, InsertResult.Conflict conflict) {
    TaskId task = conflict.existing();
    return switch (conflict.reason()) {
      case EXISTS -> keyIsTaken(Code.ALREADY_EXISTS, at + ": is that of task " + task, task);
      case NOT_WAITING ->
          keyIsTaken(
              Code.FAILED_PRECONDITION,
              at + ": is that of task " + task + ", which is being performed or has ended",
              task);
      case ORDERED ->
          keyIsTaken(
              Code.FAILED_PRECONDITION,
              at + ": is that of task " + task + ", which has an ordering key",
              task);
    };
  }

  private static StatusRuntimeException keyIsTaken(Code code, String why, TaskId existing) {
    return status(
        code,
        why,
        ErrorInfo.newBuilder()
            .setReason("KEY_TAKEN")
            .setDomain("kairos")
            .putMetadata("task", existing.toString())
            .build());
  }

  public static StatusRuntimeException unknownTask() {
    return status(Code.NOT_FOUND, "id: there is no task with this id, or it has been pruned");
  }

  /** The message's holder has not said whether it came in time; it may still. */
  public static StatusRuntimeException undecided() {
    return later(
        Code.UNAVAILABLE,
        "the node that holds it has not answered; what was asked may take effect");
  }

  /** It may be done yet or not. */
  public static StatusRuntimeException inDoubt(String why) {
    return later(Code.UNAVAILABLE, why);
  }

  /** Who is asked does nothing any more, or not yet; another may. */
  public static StatusRuntimeException stopped(String why) {
    return laterNothingDone(Code.UNAVAILABLE, why);
  }

  /** Clients are not told that nothing was done: they would repeat it, and there is no room. */
  public static StatusRuntimeException full(String why) {
    return status(Code.RESOURCE_EXHAUSTED, why);
  }

  public static StatusRuntimeException notFound(String why) {
    return status(Code.NOT_FOUND, why);
  }

  public static StatusRuntimeException exists(String why) {
    return status(Code.ALREADY_EXISTS, why);
  }

  /** Another change came before. */
  public static StatusRuntimeException aborted(String why) {
    return status(Code.ABORTED, why);
  }

  public static StatusRuntimeException notInState(String why) {
    return status(Code.FAILED_PRECONDITION, why);
  }

  public static StatusRuntimeException unauthenticated(String why) {
    return status(Code.UNAUTHENTICATED, why);
  }

  public static StatusRuntimeException denied(String why) {
    return status(Code.PERMISSION_DENIED, why);
  }

  private static StatusRuntimeException later(Code code, String why) {
    return status(code, why, RETRY_AFTER);
  }

  private static StatusRuntimeException laterNothingDone(Code code, String why) {
    return status(code, why, RETRY_AFTER, NOTHING_DONE);
  }

  private static StatusRuntimeException status(Code code, String why, Message... details) {
    Status.Builder status = Status.newBuilder().setCode(code.getNumber()).setMessage(why);
    for (Message detail : details) {
      status.addDetails(Any.pack(detail));
    }
    return StatusProto.toStatusRuntimeException(status.build());
  }
}
