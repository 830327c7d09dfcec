package io.kairos.deploy;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * What a dry run of the publication has made, by the rules of Maven Central. For those who make a
 * release, who run it by hand; others would wait too long for the dry run.
 */
@EnabledIfSystemProperty(
    named = "kairos.published",
    matches = ".+",
    disabledReason = "docs/releasing.md says how it is run")
class PublishedIT {
  private static final String VERSION = Version.current();

  private static final Set<String> PUBLISHED =
      Set.of(
          "kairos-api",
          "kairos-bom",
          "kairos-client",
          "kairos-client-jackson2",
          "kairos-client-jackson3",
          "kairos-client-opentelemetry",
          "kairos-domain",
          "kairos-edge",
          "kairos-engine",
          "kairos-in-process",
          "kairos-junit",
          "kairos-model",
          "kairos-node",
          "kairos-postgres",
          "kairos-spring-boot-starter",
          "kairos-spring-boot-test",
          "kairos-testnode");

  private final Path published =
      Path.of("..", requireNonNull(System.getProperty("kairos.published", "")))
          .resolve("io/kairos");

  @Test
  void it_has_what_applications_use_and_nothing_else() throws IOException {
    try (Stream<Path> modules = Files.list(published)) {
      assertThat(modules.map(module -> requireNonNull(module.getFileName()).toString()))
          .containsExactlyInAnyOrderElementsOf(PUBLISHED);
    }
    try (Stream<Path> folders = Files.find(published, 2, (_, file) -> file.isDirectory())) {
      assertThat(folders.filter(folder -> published.relativize(folder).getNameCount() == 2))
          .extracting(folder -> requireNonNull(folder.getFileName()).toString())
          .containsOnly(VERSION);
    }
  }

  @Test
  void every_jar_has_sources_documentation_and_checksums() {
    for (String name : PUBLISHED) {
      List<String> files = new ArrayList<>(List.of(".pom"));
      if (!name.equals("kairos-bom")) {
        files.addAll(List.of(".jar", "-sources.jar", "-javadoc.jar"));
      }
      List<String> besides = new ArrayList<>(List.of("", ".md5", ".sha1"));
      if (Files.exists(file(name, ".pom.asc"))) {
        besides.add(".asc");
      }
      for (String file : files) {
        for (String beside : besides) {
          assertThat(file(name, file + beside)).isNotEmptyFile();
        }
      }
    }
  }

  @Test
  void every_pom_stands_alone_and_says_all_that_is_asked_for() throws Exception {
    for (String name : PUBLISHED) {
      Element pom = pom(name);
      for (String asked :
          List.of(
              "groupId",
              "artifactId",
              "version",
              "name",
              "description",
              "url",
              "licenses",
              "developers",
              "scm")) {
        assertThat(children(pom, asked)).as(name + " " + asked).hasSize(1);
      }
      assertThat(children(pom, "parent")).as(name).isEmpty();
      assertThat(pom.getTextContent()).as(name).doesNotContain("${");
      NodeList dependencies = pom.getElementsByTagName("dependency");
      for (int i = 0; i < dependencies.getLength(); i++) {
        Element dependency = (Element) requireNonNull(dependencies.item(i));
        assertThat(children(dependency, "version"))
            .as(name + dependency.getTextContent())
            .hasSize(1);
        if (text(dependency, "groupId").equals("io.kairos")) {
          assertThat(PUBLISHED).as(name).contains(text(dependency, "artifactId"));
        }
      }
    }
  }

  private Element pom(String name) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(file(name, ".pom").toFile())
        .getDocumentElement();
  }

  private Path file(String name, String end) {
    return published.resolve(name).resolve(VERSION).resolve(name + "-" + VERSION + end);
  }

  private static String text(Element parent, String name) {
    return requireNonNull(children(parent, name).getFirst().getTextContent());
  }

  private static List<Element> children(Element parent, String name) {
    List<Element> found = new ArrayList<>();
    for (int i = 0; i < parent.getChildNodes().getLength(); i++) {
      if (parent.getChildNodes().item(i) instanceof Element child
          && child.getTagName().equals(name)) {
        found.add(child);
      }
    }
    return found;
  }
}
