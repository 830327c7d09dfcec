package io.kairos.spring;

import io.kairos.client.task.PayloadCodec;
import java.lang.reflect.Type;

/**
 * How payloads and results of the application are written: as JSON by its Jackson, 3 before 2,
 * unless it has a bean of this type. {@code byte[]} stays as it is and does not come here.
 */
@FunctionalInterface
public interface KairosCodecs {
  /** Returns the codec of a type, called once for each type of a method. Thread-safe. */
  PayloadCodec<Object> codec(Type type);
}
