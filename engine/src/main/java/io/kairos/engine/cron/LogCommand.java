package io.kairos.engine.cron;

import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.cron.outbox.EffectId;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The content of a request to a log whose machine is a {@link CronMachine}. */
public sealed interface LogCommand {
  int KIND_TICK = 1;
  int KIND_REQUEST = 2;
  int KIND_EFFECTS = 3;
  int TICK_BYTES = Byte.BYTES + Integer.BYTES + Long.BYTES;
  int EFFECT_BYTES = 2 * Integer.BYTES + Long.BYTES;

  /** The bytes to submit. */
  byte[] encode();

  /**
   * A tick, as {@link TicksGenerator} sends it.
   *
   * @param round the round that the tick begins or joins
   * @param readingMillis the sender's clock in milliseconds since 1970; null when there is no
   *     agreed time
   */
  record Tick(ComponentId component, long round, @Nullable Long readingMillis)
      implements LogCommand {
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
  record Request(byte[] body) implements LogCommand {
    @Override
    public byte[] encode() {
      return ByteBuffer.allocate(1 + body.length).put((byte) KIND_REQUEST).put(body).array();
    }
  }

  /**
   * A replica's report on waiting effects.
   *
   * @param wanted effects that the replica wants
   * @param done effects that their receiver has confirmed
   */
  record Effects(List<EffectId> wanted, List<EffectId> done) implements LogCommand {
    @Override
    public byte[] encode() {
      int ids = wanted.size() + done.size();
      ByteBuffer to = ByteBuffer.allocate(Byte.BYTES + 2 * Short.BYTES + ids * EFFECT_BYTES);
      to.put((byte) KIND_EFFECTS).putShort((short) wanted.size()).putShort((short) done.size());
      for (List<EffectId> some : List.of(wanted, done)) {
        for (EffectId id : some) {
          to.putInt((int) id.component().value()).putInt(id.position()).putLong(id.sequence());
        }
      }
      return to.array();
    }
  }

  /** Decodes a command; empty for other bytes, because clients may send anything. */
  static Optional<LogCommand> decode(byte[] bytes) {
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
      case KIND_EFFECTS -> decodeEffects(from);
      default -> Optional.empty();
    };
  }

  private static Optional<LogCommand> decodeTick(ByteBuffer from) {
    int length = from.limit();
    if (length != TICK_BYTES && length != TICK_BYTES + Long.BYTES) {
      return Optional.empty();
    }
    ComponentId component = new ComponentId(Integer.toUnsignedLong(from.getInt()));
    long round = from.getLong();
    return Optional.of(new Tick(component, round, from.hasRemaining() ? from.getLong() : null));
  }

  private static Optional<LogCommand> decodeEffects(ByteBuffer from) {
    if (from.remaining() < 2 * Short.BYTES) {
      return Optional.empty();
    }
    int wanted = Short.toUnsignedInt(from.getShort());
    int done = Short.toUnsignedInt(from.getShort());
    if (from.remaining() != (wanted + done) * EFFECT_BYTES) {
      return Optional.empty();
    }
    List<EffectId> ids = new ArrayList<>();
    while (from.hasRemaining()) {
      ComponentId component = new ComponentId(Integer.toUnsignedLong(from.getInt()));
      int position = from.getInt();
      long sequence = from.getLong();
      if (position < 0 || sequence < 1) {
        return Optional.empty();
      }
      ids.add(new EffectId(component, position, sequence));
    }
    return Optional.of(
        new Effects(
            List.copyOf(ids.subList(0, wanted)), List.copyOf(ids.subList(wanted, ids.size()))));
  }
}
