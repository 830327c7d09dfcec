package io.kairos.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** Everything that is packed, against the list of advisories. */
class AdvisoriesIT {
  @Test
  void no_component_is_affected_by_an_advisory() throws Exception {
    Advisories list = Advisories.read(Path.of("advisories.json"));
    JsonNode sbom =
        new JsonMapper()
            .readTree(Path.of("target", "kairos-" + Version.current() + ".cdx.json").toFile());
    List<String> components =
        StreamSupport.stream(sbom.path("components").spliterator(), false)
            .map(component -> component.path("purl").asText())
            .toList();

    assertThat(components).hasSizeGreaterThan(50);
    assertThat(components.stream().flatMap(purl -> list.of(purl).stream()).distinct())
        .as("raise the version, or accept the advisory with a reason in deploy/advisories.json")
        .isEmpty();
  }
}
