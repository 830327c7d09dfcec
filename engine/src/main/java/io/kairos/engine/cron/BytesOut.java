package io.kairos.engine.cron;

import io.kairos.domain.cron.AgreedTime;
import io.kairos.domain.cron.ComponentId;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Writes bytes for {@link BytesIn}. Numbers are big-endian. */
public final class BytesOut {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  public BytesOut number8(int value) {
    out.write(value);
    return this;
  }

  public BytesOut number16(int value) {
    return number8(value >>> Byte.SIZE).number8(value);
  }

  public BytesOut number32(int value) {
    return number16(value >>> Short.SIZE).number16(value);
  }

  public BytesOut number64(long value) {
    return number32((int) (value >>> Integer.SIZE)).number32((int) value);
  }

  public BytesOut component(ComponentId component) {
    return number32((int) component.value());
  }

  public BytesOut duration(Duration duration) {
    return number64(duration.toMillis());
  }

  public BytesOut time(AgreedTime time) {
    return switch (time) {
      case AgreedTime.Off _ -> number8(0);
      case AgreedTime.At at -> number8(1).number64(at.epochMillis());
    };
  }

  public BytesOut bytes(byte[] bytes) {
    return number32(bytes.length).rest(bytes);
  }

  /** Writes bytes without their length: the last of all. */
  public BytesOut rest(byte[] bytes) {
    out.writeBytes(bytes);
    return this;
  }

  public BytesOut text(String text) {
    return bytes(text.getBytes(StandardCharsets.UTF_8));
  }

  public byte[] done() {
    return out.toByteArray();
  }
}
