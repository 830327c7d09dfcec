package io.kairos.client.opentelemetry;

import io.kairos.client.task.ScheduledTask;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import java.util.List;

/**
 * Attributes of spans: those of the semantic conventions for messaging where one fits, and {@code
 * kairos.*} otherwise. Nodes use the same names.
 */
final class TaskAttributes {
  static final String KAIROS = "kairos";
  static final AttributeKey<String> SYSTEM = AttributeKey.stringKey("messaging.system");
  static final AttributeKey<String> OPERATION = AttributeKey.stringKey("messaging.operation.name");
  static final AttributeKey<String> OPERATION_TYPE =
      AttributeKey.stringKey("messaging.operation.type");
  static final AttributeKey<String> DESTINATION =
      AttributeKey.stringKey("messaging.destination.name");
  static final AttributeKey<String> MESSAGE = AttributeKey.stringKey("messaging.message.id");
  static final AttributeKey<Long> BATCH_SIZE =
      AttributeKey.longKey("messaging.batch.message_count");
  static final AttributeKey<String> ERROR = AttributeKey.stringKey("error.type");
  static final AttributeKey<String> TASK = AttributeKey.stringKey("kairos.task.id");
  static final AttributeKey<String> HANDLER = AttributeKey.stringKey("kairos.handler");
  static final AttributeKey<Long> ATTEMPT = AttributeKey.longKey("kairos.attempt");
  static final AttributeKey<String> WORKER = AttributeKey.stringKey("kairos.worker");
  static final AttributeKey<String> DUE = AttributeKey.stringKey("kairos.due_at");
  static final AttributeKey<String> OUTCOME = AttributeKey.stringKey("kairos.outcome");
  static final AttributeKey<Long> RETRY_DELAY = AttributeKey.longKey("kairos.retry_delay_ms");
  static final AttributeKey<String> CANCEL_REASON = AttributeKey.stringKey("kairos.cancel_reason");
  static final AttributeKey<Boolean> DUPLICATE = AttributeKey.booleanKey("kairos.duplicate");

  private TaskAttributes() {}

  /** Notes the id of a task, if it is the only one of its call. */
  static void accepted(Span span, List<ScheduledTask> answer) {
    if (answer.size() == 1) {
      ScheduledTask task = answer.get(0);
      span.setAttribute(TASK, task.id().toString());
      span.setAttribute(MESSAGE, task.id().toString());
      if (task.duplicate()) {
        span.setAttribute(DUPLICATE, true);
      }
    }
  }

  /** Notes the exception that ended the work of a span. */
  static void failed(Span span, Throwable thrown) {
    span.recordException(thrown);
    span.setAttribute(ERROR, thrown.getClass().getName());
    span.setStatus(StatusCode.ERROR, String.valueOf(thrown.getMessage()));
  }
}
