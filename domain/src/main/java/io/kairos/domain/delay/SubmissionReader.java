package io.kairos.domain.delay;

import static io.kairos.domain.delay.ControlHeaders.CHRONOS_DEADLINE;
import static io.kairos.domain.delay.ControlHeaders.CHRONOS_ID;
import static io.kairos.domain.delay.ControlHeaders.CONTROL;
import static io.kairos.domain.delay.ControlHeaders.DELAY;
import static io.kairos.domain.delay.ControlHeaders.DUE_AT;
import static io.kairos.domain.delay.ControlHeaders.HANDLER;
import static io.kairos.domain.delay.ControlHeaders.ID;
import static io.kairos.domain.delay.ControlHeaders.KEY;
import static io.kairos.domain.delay.ControlHeaders.ORIGINAL_BYTES;
import static io.kairos.domain.delay.ControlHeaders.OUTPUT_TOPIC;
import static io.kairos.domain.delay.ControlHeaders.POOL;
import static io.kairos.domain.delay.ControlHeaders.PRIORITY;
import static io.kairos.domain.delay.ControlHeaders.RESERVED_PREFIX;
import static io.kairos.domain.delay.ControlHeaders.TASK_SOURCE;
import static io.kairos.domain.delay.ControlHeaders.WRITTEN_BY_KAIROS;

import io.kairos.domain.delay.RecordRejection.Reason;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.queue.HandlerName;
import io.kairos.domain.task.queue.MessageOutput;
import io.kairos.domain.task.queue.PoolName;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.domain.task.queue.TopicName;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads records on the input topic. A record that cannot be read is {@linkplain
 * InputSubmission.Rejected rejected} with a reason, never dropped. Pure: the result depends on the
 * record alone, so that a record which is read again after a crash gives an equal result. A header
 * may be repeated, also under its other name, if the values agree.
 *
 * @param route the route that the input topic belongs to
 * @param allowedOutputs topics, handlers and pools that a message may name instead of the route's
 *     own output
 * @param maxPayloadBytes bound on key, value and headers of one record
 * @param relayId true if the output record carries {@code kairos-id}
 * @param ordersByRecordKey true if a task has its record's key as ordering key when the record does
 *     not name another
 */
public record SubmissionReader(
    RouteId route,
    Set<MessageOutput> allowedOutputs,
    long maxPayloadBytes,
    boolean relayId,
    boolean ordersByRecordKey) {
  public SubmissionReader {
    allowedOutputs = Set.copyOf(allowedOutputs);
  }

  public InputSubmission read(InputRecord input) {
    try {
      return readOrReject(input);
    } catch (RejectedException e) {
      return new InputSubmission.Rejected(e.rejection);
    }
  }

  private InputSubmission readOrReject(InputRecord input) throws RejectedException {
    if (input.headerCount() > InputRecord.MAX_HEADERS) {
      throw reject(
          Reason.TOO_LARGE,
          "the record has %d headers, allowed are %d"
              .formatted(input.headerCount(), InputRecord.MAX_HEADERS));
    }
    if (input.cut() != null || input.payloadBytes() > maxPayloadBytes) {
      throw reject(
          Reason.TOO_LARGE,
          "key, value and headers have %d bytes, allowed are %d"
              .formatted(input.payloadBytes(), maxPayloadBytes));
    }
    Fields fields = new Fields();
    List<MessageHeader> relayed = new ArrayList<>(input.headers().size());
    for (MessageHeader header : input.headers()) {
      if (!fields.take(header, input.timestampMillis())) {
        relayed.add(header);
      }
    }
    if (fields.id == null) {
      throw reject(Reason.MISSING_ID, "the record has neither " + ID + " nor " + CHRONOS_ID);
    }
    MessageId id = fields.id;
    String control = fields.control;
    if (control != null) {
      return new InputSubmission.Amend(id, amendment(control, fields.dueMicros));
    }
    long dueMicros = required(fields.dueMicros);
    if (fields.handler != null
        || fields.pool != null
        || fields.priority != null
        || fields.key != null) {
      return new InputSubmission.Delay(task(input, fields, id, dueMicros, relayed));
    }
    TopicName output = fields.output;
    if (output != null && !allowedOutputs.contains(output)) {
      throw reject(
          Reason.OUTPUT_NOT_ALLOWED,
          OUTPUT_TOPIC + " names a topic that is not in the route's allowed-outputs");
    }
    if (relayId) {
      relayed.add(new MessageHeader(ID, id.value().getBytes(StandardCharsets.UTF_8)));
    }
    return new InputSubmission.Delay(
        new DelayedMessage(
            route, id, dueMicros, output, HeaderCodec.encode(relayed), input.key(), input.value()));
  }

  /** Makes a message that becomes a task; its headers carry priority, key and source record. */
  private DelayedMessage task(
      InputRecord input, Fields fields, MessageId id, long dueMicros, List<MessageHeader> relayed)
      throws RejectedException {
    TaskHandler handler = handler(fields);
    if (!allowedOutputs.contains(handler)) {
      throw switch (handler) {
        case PoolName _ ->
            reject(
                Reason.POOL_NOT_ALLOWED,
                POOL + " names a pool that is not in the route's allowed-pools");
        case HandlerName _ ->
            reject(
                Reason.HANDLER_NOT_ALLOWED,
                HANDLER + " names a handler that is not in the route's allowed-handlers");
      };
    }
    if (fields.priority != null) {
      relayed.add(ascii(PRIORITY, fields.priority.toString()));
    }
    OrderingKey key = fields.key == null ? keyOf(input) : fields.key;
    if (key != null) {
      relayed.add(new MessageHeader(KEY, key.value().getBytes(StandardCharsets.UTF_8)));
    }
    // No other record has an equal source, not even in a topic that was deleted and created again.
    String source =
        route.value()
            + "-"
            + input.partition()
            + "-"
            + input.offset()
            + "-"
            + input.timestampMillis();
    relayed.add(ascii(TASK_SOURCE, source));
    return new DelayedMessage(
        route, id, dueMicros, handler, HeaderCodec.encode(relayed), input.key(), input.value());
  }

  /** Returns the ordering key that a record without the header has; null for none. */
  private @Nullable OrderingKey keyOf(InputRecord input) throws RejectedException {
    byte[] key = input.key();
    return ordersByRecordKey && key != null && key.length > 0
        ? Fields.named("the record's key", key, Reason.MALFORMED_KEY, OrderingKey::new)
        : null;
  }

  /** Returns the handler of the task that the message becomes. */
  private static TaskHandler handler(Fields fields) throws RejectedException {
    TaskHandler handler = fields.handler == null ? fields.pool : fields.handler;
    if (handler == null) {
      throw reject(
          Reason.MALFORMED_HANDLER,
          (fields.priority == null ? KEY : PRIORITY)
              + " is given without "
              + HANDLER
              + " or "
              + POOL);
    }
    String named = fields.handler == null ? POOL : HANDLER;
    if (fields.handler != null && fields.pool != null) {
      throw reject(Reason.CONTRADICTORY_HEADERS, named + " is given together with " + POOL);
    }
    if (fields.output != null) {
      throw reject(Reason.CONTRADICTORY_HEADERS, named + " is given together with " + OUTPUT_TOPIC);
    }
    return handler;
  }

  private static MessageHeader ascii(String name, String value) {
    return new MessageHeader(name, value.getBytes(StandardCharsets.US_ASCII));
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
      default -> throw reject(Reason.MALFORMED_CONTROL, CONTROL + " must be cancel or reschedule");
    };
  }

  private static long required(@Nullable Long dueMicros) throws RejectedException {
    if (dueMicros == null) {
      throw reject(
          Reason.MISSING_DUE_TIME,
          "the record has none of " + DUE_AT + ", " + DELAY + ", " + CHRONOS_DEADLINE);
    }
    return dueMicros;
  }

  private static RejectedException reject(Reason reason, String detail) {
    return new RejectedException(new RecordRejection(reason, detail));
  }

  /** The values of the control headers, filled header by header. */
  private static final class Fields {
    private static final Pattern UP_TO_100 = Pattern.compile("100|[0-9]{1,2}");

    /** The character that the fast decoder puts in place of malformed bytes. */
    private static final char REPLACEMENT = '\uFFFD';

    @Nullable MessageId id;
    @Nullable Long dueMicros;
    @Nullable String control;
    @Nullable TopicName output;
    @Nullable HandlerName handler;
    @Nullable PoolName pool;
    @Nullable Integer priority;
    @Nullable OrderingKey key;

    /** Returns false when the header is the application's own and is to be relayed. */
    boolean take(MessageHeader header, long timestampMillis) throws RejectedException {
      String name = header.name();
      switch (name) {
        case ID, CHRONOS_ID ->
            id = agreed(name, id, named(header, Reason.MALFORMED_ID, MessageId::new));
        case DUE_AT, CHRONOS_DEADLINE, DELAY ->
            dueMicros = agreed(name, dueMicros, dueMicros(header, timestampMillis));
        case CONTROL -> control = agreed(name, control, text(header, Reason.MALFORMED_CONTROL));
        case OUTPUT_TOPIC ->
            output = agreed(name, output, new TopicName(text(header, Reason.OUTPUT_NOT_ALLOWED)));
        case HANDLER ->
            handler =
                agreed(name, handler, named(header, Reason.MALFORMED_HANDLER, HandlerName::new));
        case POOL -> pool = agreed(name, pool, named(header, Reason.MALFORMED_POOL, PoolName::new));
        case PRIORITY -> priority = agreed(name, priority, priority(header));
        case KEY -> key = agreed(name, key, named(header, Reason.MALFORMED_KEY, OrderingKey::new));
        default -> {
          if (!name.startsWith(RESERVED_PREFIX)) {
            return false;
          }
          if (name.equals(ORIGINAL_BYTES)) {
            throw reject(
                Reason.TOO_LARGE,
                "the record is a truncated dead letter: send the original, or what was kept of it");
          }
          if (!WRITTEN_BY_KAIROS.contains(name)) {
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

    /** Reads a header as a name, and rejects the record for a malformed one. */
    private static <T> T named(MessageHeader header, Reason refused, Function<String, T> read)
        throws RejectedException {
      return named(header.name(), header.value(), refused, read);
    }

    private static <T> T named(
        String place, byte @Nullable [] value, Reason refused, Function<String, T> read)
        throws RejectedException {
      try {
        return read.apply(text(place, value, refused));
      } catch (IllegalArgumentException e) {
        throw reject(refused, place + ": " + e.getMessage());
      }
    }

    private static int priority(MessageHeader header) throws RejectedException {
      String text = text(header, Reason.MALFORMED_HANDLER);
      if (!UP_TO_100.matcher(text).matches()) {
        throw reject(
            Reason.MALFORMED_HANDLER, header.name() + " is not a whole number from 0 to 100");
      }
      return Integer.parseInt(text);
    }

    private static long dueMicros(MessageHeader header, long timestampMillis)
        throws RejectedException {
      String text = text(header, Reason.MALFORMED_DUE_TIME);
      try {
        return header.name().equals(DELAY)
            ? DueTime.afterDelay(header.name(), text, timestampMillis)
            : DueTime.absolute(header.name(), text);
      } catch (IllegalArgumentException e) {
        throw reject(Reason.MALFORMED_DUE_TIME, String.valueOf(e.getMessage()));
      }
    }

    private static String text(MessageHeader header, Reason reason) throws RejectedException {
      return text(header.name(), header.value(), reason);
    }

    private static String text(String place, byte @Nullable [] value, Reason reason)
        throws RejectedException {
      if (value == null) {
        throw reject(reason, place + " is null");
      }
      String quick = new String(value, StandardCharsets.UTF_8);
      if (quick.indexOf(REPLACEMENT) < 0) {
        return quick;
      }
      // The bytes are malformed, or the character itself was sent.
      try {
        return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(value)).toString();
      } catch (CharacterCodingException e) {
        throw reject(reason, place + " is not UTF-8");
      }
    }
  }

  /**
   * Control flow inside the reader only; no stack trace, because bad input must not cost more than
   * good.
   */
  private static final class RejectedException extends Exception {
    private static final long serialVersionUID = 1L;
    private final transient RecordRejection rejection;

    RejectedException(RecordRejection rejection) {
      super(rejection.detail(), null, false, false);
      this.rejection = rejection;
    }
  }
}
