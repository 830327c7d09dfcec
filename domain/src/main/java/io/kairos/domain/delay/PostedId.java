package io.kairos.domain.delay;

import static io.kairos.domain.check.ArgumentCheck.require;

import io.kairos.domain.task.queue.TopicName;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Identity of a message that came by a call instead of by an input topic: a UUIDv8 (RFC 9562) of 48
 * bits of time, the number of its route in 20 bits, and random bits. So the id alone suffices to
 * find the message.
 */
public record PostedId(UUID value) {
  private static final int VERSION = 8;
  private static final long VARIANT = 0x8000_0000_0000_0000L;
  private static final int ROUTE_BITS = 20;
  private static final int ROUTE_SHIFT = 42;
  private static final int TIME_SHIFT = 16;
  private static final int HIGH_SHIFT = 52;
  private static final long CHANCE_HIGH = 0xFFF;
  private static final long CHANCE_LOW = (1L << ROUTE_SHIFT) - 1;

  /** Throws {@link IllegalArgumentException} for a UUID of another version. */
  public PostedId {
    require(isOne(value), "not the id of a message that came by a call");
  }

  /**
   * Makes an id for a message that is accepted now.
   *
   * @param epochMillis the clock, 48 bits of it
   * @param random 64 random bits, of which 54 are used
   */
  public static PostedId at(long epochMillis, RouteId route, long random) {
    require(
        route.value() >= 0 && route.value() < 1 << ROUTE_BITS,
        "no room in an id for route ",
        route.value());
    long high =
        (epochMillis << TIME_SHIFT)
            | ((long) VERSION << 12)
            | ((random >>> HIGH_SHIFT) & CHANCE_HIGH);
    long low = VARIANT | ((long) route.value() << ROUTE_SHIFT) | (random & CHANCE_LOW);
    return new PostedId(new UUID(high, low));
  }

  /**
   * Makes the id of a message that may be sent again. Equal keys, topics, routes and due times make
   * equal ids.
   *
   * @param dueMillis 48 bits of it
   * @param topic null for the output topic of the route
   * @param key has no line feed
   */
  public static PostedId once(
      long dueMillis, RouteId route, @Nullable TopicName topic, String key) {
    String named = topic == null ? key : key + '\n' + topic.value();
    UUID hash = UUID.nameUUIDFromBytes(named.getBytes(StandardCharsets.UTF_8));
    long high = hash.getMostSignificantBits() & -(1L << HIGH_SHIFT);
    return at(dueMillis, route, high | (hash.getLeastSignificantBits() & CHANCE_LOW));
  }

  /** Returns true if a UUID may be such an id. */
  public static boolean isOne(UUID value) {
    return value.version() == VERSION && value.variant() == 2;
  }

  public RouteId route() {
    return new RouteId(
        (int) (value.getLeastSignificantBits() >>> ROUTE_SHIFT) & ((1 << ROUTE_BITS) - 1));
  }

  /** Returns the id by which the delay queue knows the message. */
  public MessageId message() {
    return new MessageId(value.toString());
  }

  @Override
  public String toString() {
    return value.toString();
  }
}
