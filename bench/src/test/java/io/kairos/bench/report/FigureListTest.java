package io.kairos.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.kairos.bench.report.FigureList.FigureColumns;
import io.kairos.bench.report.FigureList.Unit;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FigureListTest {
  private final FigureList figures =
      new FigureList()
          .row("load")
          .add("perSecond", "asked", Unit.PER_SECOND, 20_000.0)
          .add("cost.cpuMicros", "CPU", Unit.MICROS, 12.34567)
          .note("on one node")
          .row("nothing")
          .add("none", "", Unit.DECIMAL, Double.NaN)
          .only("text", "with \"quotes\", \\ and\ncontrol \u0001");

  @Test
  void one_list_yields_the_table_and_the_data() {
    assertThat(figures.toString())
        .contains("load     asked 20,000/s, CPU 12.3 µs, on one node")
        .contains("nothing  NaN");
    assertThat(figures.data())
        .containsEntry("perSecond", 20_000L)
        .containsEntry("cost", Map.of("cpuMicros", 12.346));
    assertThat(figures.number("cost.cpuMicros")).isEqualTo(12.34567);
    assertThatThrownBy(() -> figures.number("cost")).hasMessageContaining("cost");
  }

  @Test
  void lines_of_the_same_figures_are_aligned_below_their_labels() {
    FigureList list =
        new FigureList()
            .lines(
                "kills",
                List.of(
                    new FigureColumns().add("held", "held", Unit.COUNT, 7),
                    new FigureColumns().add("held", "held", Unit.COUNT, 1_000)));

    assertThat(list.toString().lines().map(String::strip)).containsExactly("held", "7", "1,000");
    assertThat(list.data())
        .containsEntry("kills", List.of(Map.of("held", 7), Map.of("held", 1_000)));
  }

  @Test
  void what_is_written_can_be_read_by_others(@TempDir Path folder) throws IOException {
    Path json = folder.resolve("new/figures.json");

    FigureList.writeJson(json, Map.of("result", figures));

    Map<?, ?> read = new ObjectMapper().readValue(json.toFile(), Map.class);
    assertThat((Map<?, ?>) read.get("result"))
        .asString()
        .contains("cpuMicros=12.346", "with \"quotes\", \\ and\ncontrol \u0001");
  }
}
