package io.kairos.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonTest {
  @Test
  void what_is_written_can_be_read_by_others() throws IOException {
    Map<String, Object> value = new LinkedHashMap<>();
    value.put("text", "with \"quotes\", \\ and\ncontrol \u0001");
    value.put("number", 12.34567);
    value.put("whole", 3.0);
    value.put("none", Double.NaN);
    value.put("flag", true);
    value.put("rows", List.of(List.of(1, 2.5), List.of(3L, 4)));
    value.put("empty", Map.of());

    Map<?, ?> read = new ObjectMapper().readValue(Json.write(value), Map.class);

    assertThat(read.get("text")).isEqualTo("with \"quotes\", \\ and\ncontrol \u0001");
    assertThat(read.get("number")).isEqualTo(12.346);
    assertThat(read.get("whole")).isEqualTo(3);
    assertThat(read.get("none")).isNull();
    assertThat(read.get("flag")).isEqualTo(true);
    assertThat(read.get("rows")).isEqualTo(List.of(List.of(1, 2.5), List.of(3, 4)));
    assertThat(read.get("empty")).isEqualTo(Map.of());
  }
}
