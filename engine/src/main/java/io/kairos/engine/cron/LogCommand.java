package io.kairos.engine.cron;

import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.cron.outbox.EffectId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The content of a request to a log whose machine is a {@link CronMachine}. */
public sealed interface LogCommand {
  int KIND_TICK = 1;
  int KIND_REQUEST = 2;
  int KIND_EFFECTS = 3;

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
      BytesOut out = new BytesOut().number8(KIND_TICK).component(component).number64(round);
      return (readingMillis == null ? out : out.number64(readingMillis)).done();
    }
  }

  /** A request of a client, opaque to Kairos. */
  @SuppressWarnings("ArrayRecordComponent") // opaque bytes, never compared
  record Request(byte[] body) implements LogCommand {
    @Override
    public byte[] encode() {
      return new BytesOut().number8(KIND_REQUEST).rest(body).done();
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
      BytesOut out =
          new BytesOut().number8(KIND_EFFECTS).number16(wanted.size()).number16(done.size());
      Stream.concat(wanted.stream(), done.stream())
          .forEach(
              id -> out.component(id.component()).number32(id.position()).number64(id.sequence()));
      return out.done();
    }
  }

  /** Decodes a command; empty for other bytes, because clients may send anything. */
  static Optional<LogCommand> decode(byte[] bytes) {
    try {
      BytesIn in = new BytesIn(bytes);
      LogCommand command =
          switch (in.number8()) {
            case KIND_TICK ->
                new Tick(in.component(), in.number64(), in.hasMore() ? in.number64() : null);
            case KIND_REQUEST -> new Request(in.rest());
            case KIND_EFFECTS -> {
              int wanted = in.number16();
              int done = in.number16();
              yield new Effects(effects(in, wanted), effects(in, done));
            }
            default -> throw in.unknown("command");
          };
      in.end();
      return Optional.of(command);
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static List<EffectId> effects(BytesIn in, int count) {
    List<EffectId> ids = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      ids.add(new EffectId(in.component(), in.number32(), in.number64()));
    }
    return List.copyOf(ids);
  }
}
