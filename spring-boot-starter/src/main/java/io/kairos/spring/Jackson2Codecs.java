package io.kairos.spring;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kairos.client.jackson2.JacksonCodec;
import io.kairos.client.task.PayloadCodec;
import java.lang.reflect.Type;

/** JSON by Jackson 2, that of Spring Boot 3. */
record Jackson2Codecs(ObjectMapper mapper) implements KairosCodecs {
  @Override
  public PayloadCodec<Object> codec(Type type) {
    return JacksonCodec.of(
        mapper,
        new TypeReference<Object>() {
          @Override
          public Type getType() {
            return type;
          }
        });
  }
}
