package io.kairos.spring;

import io.kairos.client.task.PayloadCodec;
import java.lang.reflect.Type;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The codec of each type, made once. */
final class PayloadForms {
  private static final PayloadCodec<Object> BYTES =
      PayloadCodec.of(payload -> (byte[]) payload, bytes -> bytes);

  private final @Nullable KairosCodecs codecs;
  private final Map<Type, PayloadCodec<Object>> made = new ConcurrentHashMap<>();

  PayloadForms(@Nullable KairosCodecs codecs) {
    this.codecs = codecs;
  }

  /** Returns the codec of those who have no payload. */
  static PayloadCodec<Object> none() {
    return BYTES;
  }

  PayloadCodec<Object> of(Type type) {
    if (type == byte[].class) {
      return BYTES;
    }
    KairosCodecs present = codecs;
    if (present == null) {
      throw new KairosConfigurationException(
          "Nothing can write " + type.getTypeName() + " as JSON: the application has no Jackson.",
          "Add spring-boot-starter-json (Spring Boot 3) or spring-boot-starter-jackson (Spring Boot"
              + " 4), define a bean of the type KairosCodecs, or take byte[].");
    }
    return made.computeIfAbsent(type, present::codec);
  }
}
