package io.kairos.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The list of advisories and its comparison with components. */
class AdvisoriesTest {
  private static final Path LIST = Path.of("advisories.json");

  /**
   * What is packed, written by the build: {@code group:artifact:jar[:classifier]:version:scope}.
   */
  private static final Path COMPONENTS = Path.of("target/components.txt");

  private static final Pattern COMPONENT =
      Pattern.compile("(?m)^\\s+([^:\\s]+):([^:]+):jar(?::[^:]+)?:([^:]+):(?:compile|runtime)");

  private static Advisories specimen() throws IOException {
    return new JsonMapper()
        .readValue(
            """
            {"covers": [], "refreshed": "2026-01-01",
             "accepted": [{"id": "A-2", "name": "com.example:accepted", "why": "not called"}],
             "advisories": [
               {"id": "A-1", "summary": "It breaks", "details": "not read", "affected": [
                 {"package": {"ecosystem": "Maven", "name": "com.example:lib", "purl": "not read"}, "ranges": [
                   {"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "1.2.3"}]},
                   {"type": "ECOSYSTEM", "events": [{"introduced": "2.0.Alpha1"}, {"fixed": "2.0.5.Final"}]},
                   {"type": "ECOSYSTEM", "events": [{"introduced": "3.0"}, {"last_affected": "3.1"}]}]}]},
               {"id": "A-2", "summary": "It breaks, too", "affected": [
                 {"package": {"ecosystem": "Maven", "name": "com.example:accepted"}, "ranges": [
                   {"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "9.0"}]}]}]}]}
            """,
            Advisories.class);
  }

  @Test
  void a_component_that_is_affected_is_named_with_the_version_that_mends_it() throws IOException {
    assertThat(specimen().of("pkg:maven/com.example/lib@1.2.2?type=jar"))
        .containsExactly("com.example:lib 1.2.2 is affected by A-1 (It breaks), mended in 1.2.3");
    assertThat(specimen().of("pkg:maven/com.example/lib@3.1"))
        .containsExactly(
            "com.example:lib 3.1 is affected by A-1 (It breaks), which no version mends");
  }

  @ParameterizedTest
  @CsvSource({
    "com.example/lib, 0.9, true",
    "com.example/lib, 1.2.3-rc1, true",
    "com.example/lib, 1.2.3, false",
    "com.example/lib, 1.10, false",
    "com.example/lib, 2.0.Alpha1, true",
    "com.example/lib, 2.0.0.Final, true",
    "com.example/lib, 2.0.4.Final, true",
    "com.example/lib, 2.0.5.Final, false",
    "com.example/lib, 2.0.10.Final, false",
    "com.example/lib, 3.0, true",
    "com.example/lib, 3.2, false",
    "com.example/other, 1.0, false",
    "org.example/lib, 1.0, false",
    "com.example/accepted, 1.0, false"
  })
  void a_version_is_affected_between_the_beginning_and_the_end_of_a_range(
      String name, String version, boolean isAffected) throws IOException {
    assertThat(!specimen().of("pkg:maven/" + name + "@" + version + "?type=jar").isEmpty())
        .isEqualTo(isAffected);
  }

  @ParameterizedTest
  @CsvSource({
    "1.0, 1.0.0, 0",
    "1.0, 1.0.Final, 0",
    "33.5.0-jre, 33.5.0-android, 0",
    "1.9, 1.10, -1",
    "4.2.0.Alpha3, 4.2.0.Final, -1",
    "4.2.0.RC4, 4.2.0.Final, -1",
    "4.28.0.rc.1, 4.28.0, -1",
    "2.0-beta1, 2.0-rc1, -1",
    "1.0, 1.0.1, -1",
    "2.12.7, 2.12.7.1, -1",
    "1.0-SNAPSHOT, 1.0, -1"
  })
  void versions_are_in_the_order_of_maven(String one, String other, int order) {
    assertThat(Integer.signum(new MavenVersion(one).compareTo(new MavenVersion(other))))
        .isEqualTo(order);
    assertThat(Integer.signum(new MavenVersion(other).compareTo(new MavenVersion(one))))
        .isEqualTo(-order);
  }

  @Test
  void what_is_accepted_and_affects_no_component_is_unused() throws IOException {
    Advisories list = specimen();

    assertThat(list.unused(List.of("pkg:maven/com.example/accepted@1.0?type=jar"))).isEmpty();
    assertThat(list.unused(List.of("pkg:maven/com.example/accepted@9.0?type=jar")))
        .as("a version that is mended")
        .hasSize(1);
    assertThat(list.unused(List.of("pkg:maven/com.example/lib@1.2.2?type=jar")))
        .as("a component that is not packed any more")
        .extracting(Advisories.Accepted::id)
        .containsExactly("A-2");
  }

  @Test
  void a_list_is_old_after_ninety_days() throws IOException {
    assertThat(specimen().ageOn(LocalDate.parse("2026-04-01"))).isEmpty();
    assertThat(specimen().ageOn(LocalDate.parse("2026-04-02")).orElse(""))
        .contains("refreshed on 2026-01-01, more than 90 days ago");
  }

  private static List<String> packed() throws IOException {
    return COMPONENT
        .matcher(Files.readString(COMPONENTS))
        .results()
        .map(
            found -> "pkg:maven/%s/%s@%s".formatted(found.group(1), found.group(2), found.group(3)))
        .toList();
  }

  @Test
  void no_packed_component_is_affected_by_an_advisory() throws IOException {
    Advisories list = Advisories.read(LIST);
    List<String> components = packed();

    assertThat(components)
        .hasSizeGreaterThan(100)
        .anyMatch(component -> component.startsWith("pkg:maven/io.netty/netty-codec-http@"));
    assertThat(components.stream().flatMap(purl -> list.of(purl).stream()).distinct())
        .as("raise the version, or accept the advisory with a reason in deploy/advisories.json")
        .isEmpty();
    assertThat(list.unused(components))
        .as("take these out of accepted in deploy/advisories.json: they affect nothing any more")
        .isEmpty();
  }

  @Test
  void the_list_is_whole_and_an_old_one_is_reported() throws IOException {
    Advisories list = Advisories.read(LIST);

    assertThat(list.covers()).isNotEmpty();
    assertThat(list.advisories())
        .isNotEmpty()
        .allSatisfy(advisory -> {
          assertThat(advisory.id()).matches("(CVE|GHSA)-[\\w-]+");
          assertThat(advisory.summary()).isNotEmpty();
          assertThat(advisory.affected())
              .isNotEmpty()
              .allSatisfy(affected -> assertThat(affected.ranges()).isNotEmpty());
        });
    assertThat(list.accepted()).allSatisfy(one -> assertThat(one.why()).isNotEmpty());
    // Printed only, so that no build fails by the calendar alone.
    list.ageOn(LocalDate.now(ZoneOffset.UTC))
        .ifPresent(warning -> System.err.println("WARNING: " + warning));
  }

  /** A known one, so that the list as it is finds something. */
  @Test
  void the_list_finds_a_component_that_is_known_to_be_affected() throws IOException {
    assertThat(Advisories.read(LIST).of("pkg:maven/io.netty/netty-codec-http@4.2.7.Final?type=jar"))
        .anySatisfy(found -> assertThat(found).contains("CVE-2025-67735").endsWith("4.2.8.Final"));
    assertThat(List.of("pkg:npm/left-pad@1.0", "pkg:maven/io.kairos/kairos-domain@0.1.0"))
        .allSatisfy(purl -> assertThat(Advisories.read(LIST).of(purl)).isEmpty());
  }
}
