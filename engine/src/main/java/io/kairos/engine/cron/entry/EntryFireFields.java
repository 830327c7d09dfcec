package io.kairos.engine.cron.entry;

import io.kairos.domain.cron.AgreedTime;
import java.nio.ByteBuffer;

/**
 * The encoding of a fire in pages. Its length is fixed, so that a fire can be found and replaced.
 */
final class EntryFireFields {
  static final int BYTES = Long.BYTES + Integer.BYTES + Byte.BYTES + Long.BYTES;

  private EntryFireFields() {}

  static void put(ByteBuffer to, EntryFire fired) {
    to.putLong(fired.sequence()).putInt(fired.position());
    switch (fired.at()) {
      case AgreedTime.Off _ -> to.put((byte) 0).putLong(0);
      case AgreedTime.At at -> to.put((byte) 1).putLong(at.epochMillis());
    }
  }

  static EntryFire get(ByteBuffer from) {
    long sequence = from.getLong();
    int position = from.getInt();
    boolean hasTime = from.get() != 0;
    long millis = from.getLong();
    return new EntryFire(sequence, position, hasTime ? AgreedTime.at(millis) : AgreedTime.OFF);
  }
}
