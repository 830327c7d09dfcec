package io.kairos.domain.delay;

import io.kairos.domain.delay.Rejection.Reason;
import io.kairos.domain.task.HandlerName;
import io.kairos.domain.task.Output;
import io.kairos.domain.task.PoolName;
import io.kairos.domain.task.TaskHandler;
import io.kairos.domain.task.TopicName;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads what a record on the input topic asks for (CH-8, CH-9), total over every record: what
 * cannot be read is {@linkplain Submission.Rejected rejected} with a reason, never dropped. Pure;
 * the result depends on the record alone, so a record that is read again after a crash asks for the
 * same. The same header twice, or a header of either name, is fine as long as they agree.
 *
 * @param route the route that the input topic belongs to
 * @param allowedOutputs topics, handlers and pools that a message may name instead of the route's
 *     own output
 * @param maxPayloadBytes bound on key, value and headers of one record
 * @param relayId whether the output record carries {@code kairos-id}
 */
public record SubmissionReader(
    RouteId route, Set<Output> allowedOutputs, long maxPayloadBytes, boolean relayId) {
  public SubmissionReader {
    allowedOutputs = Set.copyOf(allowedOutputs);
  }

  public Submission read(InputRecord input) {
    try {
      return readOrReject(input);
    } catch (RejectedException e) {
      return new Submission.Rejected(e.rejection);
    }
  }

  private Submission readOrReject(InputRecord input) throws RejectedException {
    if (input.payloadBytes() > maxPayloadBytes) {
      throw reject(
          Reason.TOO_LARGE,
          "key, value and headers have "
              + input.payloadBytes()
              + " bytes, allowed are "
              + maxPayloadBytes);
    }
    Fields fields = new Fields();
    List<Header> relayed = new ArrayList<>(input.headers().size());
    for (Header header : input.headers()) {
      if (!fields.take(header, input.timestampMillis())) {
        relayed.add(header);
      }
    }
    if (fields.id == null) {
      throw reject(
          Reason.MISSING_ID,
          "the record has neither " + ControlHeaders.ID + " nor " + ControlHeaders.CHRONOS_ID);
    }
    MessageId id = fields.id;
    String control = fields.control;
    if (control != null) {
      return new Submission.Amend(id, amendment(control, fields.dueMicros));
    }
    long dueMicros = required(fields.dueMicros);
    if (fields.handler != null || fields.pool != null || fields.priority != null) {
      return new Submission.Delay(task(input, fields, id, dueMicros, relayed));
    }
    TopicName output = fields.output;
    if (output != null && !allowedOutputs.contains(output)) {
      throw reject(
          Reason.OUTPUT_NOT_ALLOWED,
          ControlHeaders.OUTPUT_TOPIC
              + " names a topic that is not in the route's allowed-outputs");
    }
    if (relayId) {
      relayed.add(new Header(ControlHeaders.ID, id.value().getBytes(StandardCharsets.UTF_8)));
    }
    return new Submission.Delay(
        new DelayedMessage(
            route, id, dueMicros, output, HeaderCodec.encode(relayed), input.key(), input.value()));
  }

  /** A message that becomes a task. What makes the task goes with it as headers. */
  private DelayedMessage task(
      InputRecord input, Fields fields, MessageId id, long dueMicros, List<Header> relayed)
      throws RejectedException {
    TaskHandler handler = handler(fields);
    if (!allowedOutputs.contains(handler)) {
      throw switch (handler) {
        case PoolName _ ->
            reject(
                Reason.POOL_NOT_ALLOWED,
                ControlHeaders.POOL + " names a pool that is not in the route's allowed-pools");
        case HandlerName _ ->
            reject(
                Reason.HANDLER_NOT_ALLOWED,
                ControlHeaders.HANDLER
                    + " names a handler that is not in the route's allowed-handlers");
      };
    }
    if (fields.priority != null) {
      relayed.add(ascii(ControlHeaders.PRIORITY, fields.priority.toString()));
    }
    // No other record has the same, not even in a topic that was deleted and made anew.
    String source =
        route.value()
            + "-"
            + input.partition()
            + "-"
            + input.offset()
            + "-"
            + input.timestampMillis();
    relayed.add(ascii(ControlHeaders.TASK_SOURCE, source));
    return new DelayedMessage(
        route, id, dueMicros, handler, HeaderCodec.encode(relayed), input.key(), input.value());
  }

  /** Who performs the task that it becomes. */
  private static TaskHandler handler(Fields fields) throws RejectedException {
    TaskHandler handler = fields.handler == null ? fields.pool : fields.handler;
    if (handler == null) {
      throw reject(
          Reason.MALFORMED_HANDLER,
          ControlHeaders.PRIORITY
              + " is given without "
              + ControlHeaders.HANDLER
              + " or "
              + ControlHeaders.POOL);
    }
    String named = fields.handler == null ? ControlHeaders.POOL : ControlHeaders.HANDLER;
    if (fields.handler != null && fields.pool != null) {
      throw reject(
          Reason.CONTRADICTORY_HEADERS, named + " is given together with " + ControlHeaders.POOL);
    }
    if (fields.output != null) {
      throw reject(
          Reason.CONTRADICTORY_HEADERS,
          named + " is given together with " + ControlHeaders.OUTPUT_TOPIC);
    }
    return handler;
  }

  private static Header ascii(String name, String value) {
    return new Header(name, value.getBytes(StandardCharsets.US_ASCII));
  }

  private static Amendment amendment(String control, @Nullable Long dueMicros)
      throws RejectedException {
    return switch (control) {
      case "cancel" -> {
        if (dueMicros != null) {
          throw reject(
              Reason.CONTRADICTORY_HEADERS,
              "a cancel carries a due time; leave it out, or ask for reschedule");
        }
        yield new Amendment.Cancel();
      }
      case "reschedule" -> new Amendment.Reschedule(required(dueMicros));
      default ->
          throw reject(
              Reason.MALFORMED_CONTROL, ControlHeaders.CONTROL + " must be cancel or reschedule");
    };
  }

  private static long required(@Nullable Long dueMicros) throws RejectedException {
    if (dueMicros == null) {
      throw reject(
          Reason.MISSING_DUE_TIME,
          "the record has none of "
              + ControlHeaders.DUE_AT
              + ", "
              + ControlHeaders.DELAY
              + ", "
              + ControlHeaders.CHRONOS_DEADLINE);
    }
    return dueMicros;
  }

  private static RejectedException reject(Reason reason, String detail) {
    return new RejectedException(new Rejection(reason, detail));
  }

  /** What the control headers say, filled header by header. */
  private static final class Fields {
    private static final Pattern PRIORITY = Pattern.compile("100|[0-9]{1,2}");

    /** What the quick decoder puts in the place of malformed bytes. */
    private static final char REPLACEMENT = '\uFFFD';

    @Nullable MessageId id;
    @Nullable Long dueMicros;
    @Nullable String control;
    @Nullable TopicName output;
    @Nullable HandlerName handler;
    @Nullable PoolName pool;
    @Nullable Integer priority;

    /** Returns false when the header is the application's own and is to be relayed. */
    boolean take(Header header, long timestampMillis) throws RejectedException {
      String name = header.name();
      switch (name) {
        case ControlHeaders.ID, ControlHeaders.CHRONOS_ID ->
            id = agreed(name, id, messageId(header));
        case ControlHeaders.DUE_AT, ControlHeaders.CHRONOS_DEADLINE, ControlHeaders.DELAY ->
            dueMicros = agreed(name, dueMicros, dueMicros(header, timestampMillis));
        case ControlHeaders.CONTROL ->
            control = agreed(name, control, text(header, Reason.MALFORMED_CONTROL));
        case ControlHeaders.OUTPUT_TOPIC ->
            output = agreed(name, output, new TopicName(text(header, Reason.OUTPUT_NOT_ALLOWED)));
        case ControlHeaders.HANDLER -> handler = agreed(name, handler, handler(header));
        case ControlHeaders.POOL -> pool = agreed(name, pool, pool(header));
        case ControlHeaders.PRIORITY -> priority = agreed(name, priority, priority(header));
        default -> {
          if (!name.startsWith(ControlHeaders.RESERVED_PREFIX)) {
            return false;
          }
          if (!ControlHeaders.WRITTEN_BY_KAIROS.contains(name)) {
            throw reject(
                Reason.UNKNOWN_HEADER,
                "a header begins with kairos- but is none that Kairos knows: check its spelling");
          }
        }
      }
      return true;
    }

    private static <T> T agreed(String name, @Nullable T before, T now) throws RejectedException {
      if (before != null && !before.equals(now)) {
        throw reject(
            Reason.CONTRADICTORY_HEADERS,
            name + " contradicts another header of the same meaning; send one of them");
      }
      return now;
    }

    private static MessageId messageId(Header header) throws RejectedException {
      try {
        return new MessageId(text(header, Reason.MALFORMED_ID));
      } catch (IllegalArgumentException e) {
        throw reject(Reason.MALFORMED_ID, header.name() + ": " + e.getMessage());
      }
    }

    private static HandlerName handler(Header header) throws RejectedException {
      try {
        return new HandlerName(text(header, Reason.MALFORMED_HANDLER));
      } catch (IllegalArgumentException e) {
        throw reject(Reason.MALFORMED_HANDLER, header.name() + ": " + e.getMessage());
      }
    }

    private static PoolName pool(Header header) throws RejectedException {
      try {
        return new PoolName(text(header, Reason.MALFORMED_POOL));
      } catch (IllegalArgumentException e) {
        throw reject(Reason.MALFORMED_POOL, header.name() + ": " + e.getMessage());
      }
    }

    private static int priority(Header header) throws RejectedException {
      String text = text(header, Reason.MALFORMED_HANDLER);
      if (!PRIORITY.matcher(text).matches()) {
        throw reject(
            Reason.MALFORMED_HANDLER, header.name() + " is not a whole number from 0 to 100");
      }
      return Integer.parseInt(text);
    }

    private static long dueMicros(Header header, long timestampMillis) throws RejectedException {
      String text = text(header, Reason.MALFORMED_DUE_TIME);
      try {
        return header.name().equals(ControlHeaders.DELAY)
            ? DueTime.afterDelay(header.name(), text, timestampMillis)
            : DueTime.absolute(header.name(), text);
      } catch (IllegalArgumentException e) {
        throw reject(Reason.MALFORMED_DUE_TIME, String.valueOf(e.getMessage()));
      }
    }

    private static String text(Header header, Reason reason) throws RejectedException {
      byte[] value = header.value();
      if (value == null) {
        throw reject(reason, header.name() + " is null");
      }
      String quick = new String(value, StandardCharsets.UTF_8);
      if (quick.indexOf(REPLACEMENT) < 0) {
        return quick;
      }
      // Either malformed, or the character itself was sent.
      try {
        return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(value)).toString();
      } catch (CharacterCodingException e) {
        throw reject(reason, header.name() + " is not UTF-8");
      }
    }
  }

  /**
   * Control flow inside the reader only; no stack trace, because bad input must not cost more than
   * good.
   */
  private static final class RejectedException extends Exception {
    private static final long serialVersionUID = 1L;
    private final transient Rejection rejection;

    RejectedException(Rejection rejection) {
      super(rejection.detail(), null, false, false);
      this.rejection = rejection;
    }
  }
}
