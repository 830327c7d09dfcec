package io.kairos.server.trace;

import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.delay.HeaderCodec;
import io.kairos.domain.delay.MessageHeader;
import io.kairos.domain.task.TraceContext;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.trace.MessageSpans;
import io.kairos.engine.trace.SpanPeriod;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanKind;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Spans of delayed messages: {@code take in} and {@code fire}, children of the span that their
 * header {@code traceparent} names. The pause between them is the wait.
 */
record OtlpMessageSpans(SpanWriter writer) implements MessageSpans {
  private static final AttributeKey<Long> LATENESS = AttributeKey.longKey("kairos.lateness_us");

  @Override
  public boolean isOn() {
    return true;
  }

  @Override
  public void takenIn(DelayedMessage message, SpanPeriod during) {
    write("take in", SpanKind.CONSUMER, message, during);
  }

  @Override
  public void fired(DelayedMessage message, SpanPeriod during) {
    write("fire", SpanKind.PRODUCER, message, during);
  }

  private void write(String operation, SpanKind kind, DelayedMessage message, SpanPeriod during) {
    TraceContext caller = caller(message);
    if (caller != null && caller.isSampled()) {
      SpanWriter.write(
          writer
              .below(caller, operation, kind, during.sinceMicros())
              .setAttribute(SpanWriter.SYSTEM, "kairos")
              .setAttribute(SpanWriter.OPERATION, operation)
              .setAttribute(SpanWriter.MESSAGE, message.id().toString())
              .setAttribute(SpanWriter.DUE, EpochMicros.toInstant(message.dueMicros()).toString())
              .setAttribute(LATENESS, during.untilMicros() - message.dueMicros()),
          during);
    }
  }

  /** The last header of that name, as elsewhere; null for none or an invalid one. */
  private static @Nullable TraceContext caller(DelayedMessage message) {
    String found = "";
    for (MessageHeader header : HeaderCodec.decode(message.headers())) {
      byte[] value = header.value();
      if (value != null && header.name().equals(TraceContext.HEADER)) {
        found = new String(value, StandardCharsets.US_ASCII);
      }
    }
    return TraceContext.isValid(found) ? new TraceContext(found) : null;
  }
}
