package io.kairos.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;

class LatenessPlotTest {
  @Test
  void the_plot_is_well_formed_and_has_a_line_for_each_percentile() throws Exception {
    String svg =
        LatenessPlot.svg(
            "<b> & co",
            List.of(
                new LatenessPlot.Point(0, 1, 5, 9),
                new LatenessPlot.Point(1, 1, 50, 900),
                new LatenessPlot.Point(2, 0, 0, 0)),
            List.of(new LatenessPlot.Band(0, 1, "warm-up")),
            500);

    var document =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));

    assertThat(document.getDocumentElement().getTagName()).isEqualTo("svg");
    assertThat(svg).contains("p50", "p99", "p99.9", "&lt;b> &amp; co").doesNotContain("NaN");
  }

  @Test
  void no_points_make_an_empty_plot() {
    assertThat(LatenessPlot.svg("nothing", List.of(), List.of(), 500)).endsWith("</svg>\n");
  }
}
