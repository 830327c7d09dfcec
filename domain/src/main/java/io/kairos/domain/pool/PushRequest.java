package io.kairos.domain.pool;

import static io.kairos.domain.check.ArgumentCheck.require;
import static java.util.Objects.requireNonNull;

import io.kairos.domain.delay.HeaderCodec;
import io.kairos.domain.delay.MessageHeader;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A request to one endpoint of a pool. It is the payload of the pool's tasks: an envelope around an
 * opaque body.
 *
 * @param path appended to the path of the endpoint, with its query; begins with a slash
 * @param headers in this order, beside those of Kairos
 * @param body not copied
 * @param fire the fire of a schedule that made the request; null for none
 */
@SuppressWarnings("ArrayRecordComponent") // opaque bytes, not copied
public record PushRequest(
    String method, String path, List<MessageHeader> headers, byte[] body, @Nullable Fire fire) {
  /** The rule for a method, for messages. */
  public static final String METHODS = "POST, PUT, PATCH, GET or DELETE";

  /** The rule for a path, for messages. */
  public static final String PATH =
      "begin with a slash and have at most 2,000 of the characters of a URL, no fragment, no .."
          + " segment, and % only before two hexadecimal digits, not of a control character";

  /** The rule for a header, for messages. */
  public static final String HEADER =
      "have a name of 1 to 128 letters, digits and hyphens that is not reserved, and a value of at"
          + " most 4,096 printable ASCII characters";

  /** The rule for a routing key, for messages. */
  public static final String ROUTING_KEYS = "have 1 to 256 printable ASCII characters";

  /**
   * Name of the header by whose value a sticky pool chooses the endpoint. An ordinary header, which
   * the endpoint gets as well, so that nodes of earlier versions can read and send the request.
   */
  public static final String ROUTING_KEY = "routing-key";

  /** Most headers. */
  public static final int MOST_HEADERS = 50;

  private static final int LONGEST_PATH = 2_000;
  private static final int LONGEST_VALUE = 4_096;
  private static final int LONGEST_ROUTING_KEY = 256;
  private static final byte VERSION = 1;
  private static final byte[] NONE = {};
  private static final Set<String> ALLOWED = Set.of("POST", "PUT", "PATCH", "GET", "DELETE");
  private static final Pattern PATH_SHAPE =
      Pattern.compile(
          "/(?!/)[A-Za-z0-9._~!$&'()*+,;=:@/?-]*+"
              + "(?:%(?!0|1|7[fF])[0-9A-Fa-f]{2}[A-Za-z0-9._~!$&'()*+,;=:@/?-]*+)*");
  private static final Pattern UP = Pattern.compile("(?i)(^|/|%2f)(\\.|%2e){1,2}($|/|%2f|\\?)");
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9-]{1,128}");

  /** Headers for the target, the length and the sender of a request; callers may not set them. */
  private static final Set<String> RESERVED_NAMES =
      Set.of(
          "host",
          "connection",
          "content-length",
          "transfer-encoding",
          "te",
          "trailer",
          "upgrade",
          "expect",
          "keep-alive",
          "proxy-authorization",
          "proxy-connection",
          "http2-settings",
          "forwarded",
          "via",
          "user-agent",
          "traceparent");

  private static final List<String> RESERVED_PREFIXES =
      List.of("kairos-", "webhook-", "x-forwarded-", "x-real-", "proxy-", "sec-");

  /** Throws {@link IllegalArgumentException} that says the rule. */
  public PushRequest {
    requireNonNull(body, "body");
    headers = List.copyOf(headers);
    require(isMethod(method), "the method must be " + METHODS);
    require(isPath(path), "the path must " + PATH);
    require(headers.size() <= MOST_HEADERS, "there may be at most 50 headers");
    require(headers.stream().allMatch(PushRequest::isHeader), "a header must " + HEADER);
  }

  /** A POST to the endpoint's own path. */
  public static PushRequest post(byte[] body) {
    return new PushRequest("POST", "/", List.of(), body);
  }

  /**
   * A fire of a schedule.
   *
   * @param schedule its name, of printable ASCII characters
   * @param atMicros the fire time, microseconds since 1970
   */
  public record Fire(String schedule, long atMicros) {}

  /** Makes a request that no schedule has fired. */
  public PushRequest(String method, String path, List<MessageHeader> headers, byte[] body) {
    this(method, path, headers, body, null);
  }

  /** Returns this request as a fire of a schedule. */
  public PushRequest firedBy(Fire by) {
    return new PushRequest(method, path, headers, body, by);
  }

  /**
   * Returns the value of the header {@link #ROUTING_KEY}; null when there is none, more than one,
   * or one that does not follow the rule.
   */
  public @Nullable String validRoutingKey() {
    String key = routingKey();
    return key != null
            && isRoutingKey(key)
            && headers.stream().filter(PushRequest::isRoutingKey).count() == 1
        ? key
        : null;
  }

  /** Returns the value of the first header {@link #ROUTING_KEY}; null for none. */
  public @Nullable String routingKey() {
    for (MessageHeader header : headers) {
      byte[] value = header.value();
      if (isRoutingKey(header) && value != null) {
        return new String(value, StandardCharsets.US_ASCII);
      }
    }
    return null;
  }

  /** Returns true for the header {@link #ROUTING_KEY}. */
  public static boolean isRoutingKey(MessageHeader header) {
    return header.name().equalsIgnoreCase(ROUTING_KEY);
  }

  /** Returns true if a routing key follows the rule. */
  public static boolean isRoutingKey(String key) {
    return !key.isEmpty()
        && key.length() <= LONGEST_ROUTING_KEY
        && isPrintable(key.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns true if a method follows the rule. */
  public static boolean isMethod(String method) {
    return ALLOWED.contains(method);
  }

  /** Returns true if a path follows the rule. */
  public static boolean isPath(String path) {
    return path.length() <= LONGEST_PATH
        && PATH_SHAPE.matcher(path).matches()
        && !UP.matcher(path).find();
  }

  /** Returns true if a header follows the rule. */
  public static boolean isHeader(MessageHeader header) {
    String name = header.name().toLowerCase(Locale.ROOT);
    byte[] value = header.value();
    return NAME.matcher(name).matches()
        && !RESERVED_NAMES.contains(name)
        && RESERVED_PREFIXES.stream().noneMatch(name::startsWith)
        && value != null
        && isPrintable(value);
  }

  private static boolean isPrintable(byte[] value) {
    if (value.length > LONGEST_VALUE) {
      return false;
    }
    for (byte one : value) {
      if (one < ' ' || one > '~') {
        return false;
      }
    }
    return true;
  }

  /** Returns the payload of a task. */
  public byte[] encode() {
    byte[] verb = method.getBytes(StandardCharsets.US_ASCII);
    byte[] place = path.getBytes(StandardCharsets.US_ASCII);
    byte[] fields = HeaderCodec.encode(headers);
    byte[] schedule = fire == null ? NONE : fire.schedule.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(
            1
                + 4 * Integer.BYTES
                + Long.BYTES
                + verb.length
                + place.length
                + fields.length
                + schedule.length
                + body.length)
        .put(VERSION)
        .putInt(verb.length)
        .put(verb)
        .putInt(place.length)
        .put(place)
        .putInt(fields.length)
        .put(fields)
        .putInt(schedule.length)
        .put(schedule)
        .putLong(fire == null ? 0 : fire.atMicros)
        .put(body)
        .array();
  }

  /**
   * Reads what {@link #encode} wrote.
   *
   * @throws IllegalArgumentException when the bytes are anything else
   */
  public static PushRequest decode(byte[] payload) {
    ByteBuffer in = ByteBuffer.wrap(payload);
    try {
      require(in.get() == VERSION, "the payload is no request of a known version");
      String method = new String(take(in, in.getInt()), StandardCharsets.US_ASCII);
      String path = new String(take(in, in.getInt()), StandardCharsets.US_ASCII);
      List<MessageHeader> headers = HeaderCodec.decode(take(in, in.getInt()));
      String schedule = new String(take(in, in.getInt()), StandardCharsets.UTF_8);
      long atMicros = in.getLong();
      return new PushRequest(
          method,
          path,
          headers,
          take(in, in.remaining()),
          schedule.isEmpty() ? null : new Fire(schedule, atMicros));
    } catch (BufferUnderflowException e) {
      throw new IllegalArgumentException("the payload is no request, it is cut off", e);
    }
  }

  /** Returns the payload of the same request without its body; nothing for any other payload. */
  public static byte[] withoutBody(byte[] payload) {
    try {
      PushRequest whole = decode(payload);
      return new PushRequest(whole.method, whole.path, whole.headers, NONE, whole.fire).encode();
    } catch (IllegalArgumentException _) {
      return NONE;
    }
  }

  private static byte[] take(ByteBuffer in, int length) {
    require(length >= 0 && length <= in.remaining(), "the payload is no request, it is cut off");
    byte[] bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }
}
