package io.kairos.engine.cron.entry;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.cron.AgreedTime;
import io.kairos.engine.cron.BytesIn;
import io.kairos.engine.cron.BytesOut;
import java.time.Instant;

/**
 * The body of an effect of an entry: the work and the fire time. The receiver decodes it with
 * {@link #decode} and identifies the effect by its id.
 *
 * @param fire whole milliseconds
 */
public record EffectBody(EntryWork.Outside work, Instant fire) {
  private static final int VERSION = 1;

  /** Throws {@link IllegalArgumentException} for a time that no tick can have. */
  public EffectBody {
    requireNonNull(work, "work");
    new AgreedTime.At(fire);
  }

  /** The earliest instant at which the work may be done. */
  public Instant dueAt() {
    return switch (work) {
      case EntryWork.EnqueueTask _, EntryWork.Push _, EntryWork.PushToPool _ -> fire;
      case EntryWork.PostMessage message -> fire.plus(message.delay());
    };
  }

  public byte[] encode() {
    BytesOut out = new BytesOut().number8(VERSION).number64(fire.toEpochMilli());
    EntryCodec.write(out, work);
    return out.done();
  }

  /** Decodes a body; throws {@link IllegalArgumentException} for other bytes. */
  public static EffectBody decode(byte[] bytes) {
    BytesIn in = new BytesIn(bytes).version(VERSION);
    Instant fire = AgreedTime.at(in.number64()).instant();
    if (!(EntryCodec.work(in) instanceof EntryWork.Outside work)) {
      throw new IllegalArgumentException("nothing is asked of the outside");
    }
    in.end();
    return new EffectBody(work, fire);
  }
}
