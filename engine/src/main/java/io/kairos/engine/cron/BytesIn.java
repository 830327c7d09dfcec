package io.kairos.engine.cron;

import static io.kairos.domain.check.ArgumentCheck.require;

import io.kairos.domain.cron.AgreedTime;
import io.kairos.domain.cron.ComponentId;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * Reads the bytes that {@link BytesOut} writes, and checks them, because they may come from
 * anywhere: every method throws {@link IllegalArgumentException} for bytes that end early or have
 * another type, and no length is trusted beyond the end. The messages are equal on every replica.
 */
public final class BytesIn {
  private final ByteBuffer in;

  public BytesIn(byte[] bytes) {
    this.in = ByteBuffer.wrap(bytes);
  }

  private ByteBuffer atLeast(int bytes) {
    require(bytes >= 0 && in.remaining() >= bytes, "the bytes end too early, at ", in.limit());
    return in;
  }

  public int number8() {
    return Byte.toUnsignedInt(atLeast(Byte.BYTES).get());
  }

  public int number16() {
    return Short.toUnsignedInt(atLeast(Short.BYTES).getShort());
  }

  public int number32() {
    return atLeast(Integer.BYTES).getInt();
  }

  public long number64() {
    return atLeast(Long.BYTES).getLong();
  }

  public ComponentId component() {
    return new ComponentId(Integer.toUnsignedLong(number32()));
  }

  public Duration duration() {
    return Duration.ofMillis(number64());
  }

  public AgreedTime time() {
    return switch (number8()) {
      case 0 -> AgreedTime.OFF;
      case 1 -> AgreedTime.at(number64());
      default -> throw unknown("time");
    };
  }

  public byte[] bytes() {
    return bytes(number32());
  }

  /** Reads all that is left. */
  public byte[] rest() {
    return bytes(in.remaining());
  }

  private byte[] bytes(int length) {
    atLeast(length);
    byte[] bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }

  public boolean hasMore() {
    return in.hasRemaining();
  }

  public String text() {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes())).toString();
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("a text is not UTF-8", e);
    }
  }

  /** Reads the first byte, which is the version of the format. */
  public BytesIn version(int known) {
    int version = number8();
    if (version != known) {
      throw new IllegalArgumentException(
          "the bytes are of version " + version + ", and only " + known + " is known");
    }
    return this;
  }

  /** Checks that everything has been read. */
  public void end() {
    if (in.hasRemaining()) {
      throw new IllegalArgumentException("there are " + in.remaining() + " bytes too many");
    }
  }

  /** Makes the exception for an unknown kind, which is the byte that was read last. */
  public IllegalArgumentException unknown(String what) {
    int number = Byte.toUnsignedInt(in.get(in.position() - 1));
    return new IllegalArgumentException("no " + what + " has the number " + number);
  }
}
