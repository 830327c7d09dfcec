package io.kairos.spring;

import io.kairos.client.jackson3.JacksonCodec;
import io.kairos.client.task.PayloadCodec;
import java.lang.reflect.Type;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** JSON by Jackson 3, that of Spring Boot 4. */
record Jackson3Codecs(JsonMapper mapper) implements KairosCodecs {
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
