package io.kairos.engine.cron;

import io.kairos.domain.cron.ComponentId;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What is in a request of the log. */
sealed interface CronCommand {
  int KIND_TICK = 1;
  int KIND_REQUEST = 2;
  int TICK_BYTES = Byte.BYTES + Integer.BYTES + Long.BYTES;

  byte[] encode();

  /**
   * A tick.
   *
   * @param round that it begins or joins
   * @param readingMillis its sender's clock; null with time off
   */
  record Tick(ComponentId component, long round, @Nullable Long readingMillis)
      implements CronCommand {
    @Override
    public byte[] encode() {
      Long millis = readingMillis;
      ByteBuffer to = ByteBuffer.allocate(TICK_BYTES + (millis == null ? 0 : Long.BYTES));
      to.put((byte) KIND_TICK).putInt((int) component.value()).putLong(round);
      if (millis != null) {
        to.putLong(millis);
      }
      return to.array();
    }
  }

  /** A request of a client, opaque to Kairos. */
  @SuppressWarnings("ArrayRecordComponent") // opaque bytes, never compared
  record Request(byte[] body) implements CronCommand {
    @Override
    public byte[] encode() {
      return ByteBuffer.allocate(1 + body.length).put((byte) KIND_REQUEST).put(body).array();
    }
  }

  /** Empty for bytes that are no command: they may come from anywhere. */
  static Optional<CronCommand> decode(byte[] bytes) {
    ByteBuffer from = ByteBuffer.wrap(bytes);
    if (!from.hasRemaining()) {
      return Optional.empty();
    }
    return switch (from.get()) {
      case KIND_TICK -> decodeTick(from);
      case KIND_REQUEST -> {
        byte[] body = new byte[from.remaining()];
        from.get(body);
        yield Optional.of(new Request(body));
      }
      default -> Optional.empty();
    };
  }

  private static Optional<CronCommand> decodeTick(ByteBuffer from) {
    int length = from.limit();
    if (length != TICK_BYTES && length != TICK_BYTES + Long.BYTES) {
      return Optional.empty();
    }
    ComponentId component = new ComponentId(Integer.toUnsignedLong(from.getInt()));
    long round = from.getLong();
    return Optional.of(new Tick(component, round, from.hasRemaining() ? from.getLong() : null));
  }
}
