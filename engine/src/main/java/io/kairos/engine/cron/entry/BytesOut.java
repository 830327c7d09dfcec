package io.kairos.engine.cron.entry;

import io.kairos.domain.cron.AgreedTime;
import io.kairos.domain.cron.ComponentId;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Writes bytes for {@link BytesIn}. Numbers are big-endian. */
final class BytesOut {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  BytesOut number8(int value) {
    out.write(value);
    return this;
  }

  BytesOut number16(int value) {
    return number8(value >>> Byte.SIZE).number8(value);
  }

  BytesOut number32(int value) {
    return number16(value >>> Short.SIZE).number16(value);
  }

  BytesOut number64(long value) {
    return number32((int) (value >>> Integer.SIZE)).number32((int) value);
  }

  BytesOut component(ComponentId component) {
    return number32((int) component.value());
  }

  BytesOut duration(Duration duration) {
    return number64(duration.toMillis());
  }

  BytesOut time(AgreedTime time) {
    return switch (time) {
      case AgreedTime.Off _ -> number8(0);
      case AgreedTime.At at -> number8(1).number64(at.epochMillis());
    };
  }

  BytesOut bytes(byte[] bytes) {
    number32(bytes.length);
    out.writeBytes(bytes);
    return this;
  }

  BytesOut text(String text) {
    return bytes(text.getBytes(StandardCharsets.UTF_8));
  }

  byte[] done() {
    return out.toByteArray();
  }
}
