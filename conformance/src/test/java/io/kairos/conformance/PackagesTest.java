package io.kairos.conformance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the packages of the clients say of themselves, and the programs that their pages show. */
class PackagesTest {
  private static final Path PYTHON = Path.of("../clients/python");
  private static final Path NPM = Path.of("../clients/typescript");
  private static final Pattern PROGRAM =
      Pattern.compile("<!-- program -->\n```(?:python|js|ts)\n(.*?)```\n", Pattern.DOTALL);

  @TempDir Path folder;

  private static String first(Path file, String pattern) throws IOException {
    Matcher found = Pattern.compile(pattern, Pattern.MULTILINE).matcher(Files.readString(file));
    assertThat(found.find()).as("%s in %s", pattern, file).isTrue();
    return requireNonNull(found.group(1));
  }

  private static JsonObject npm() throws IOException {
    return JsonParser.parseString(Files.readString(NPM.resolve("package.json"))).getAsJsonObject();
  }

  @Test
  void the_packages_have_the_version_and_the_licence_of_kairos() throws IOException {
    String version = first(Path.of("../pom.xml"), "<revision>(.*)</revision>");

    assertThat(first(PYTHON.resolve("pyproject.toml"), "^version = \"(.*)\"")).isEqualTo(version);
    assertThat(npm().get("version").getAsString()).isEqualTo(version);
    assertThat(first(PYTHON.resolve("pyproject.toml"), "^license = \\{ text = \"(.*)\" }"))
        .isEqualTo("Apache-2.0");
    assertThat(npm().get("license").getAsString()).isEqualTo("Apache-2.0");
    for (Path each : List.of(PYTHON, NPM)) {
      assertThat(each.resolve("LICENSE")).hasSameTextualContentAs(Path.of("../LICENSE"));
    }
  }

  @Test
  void the_npm_package_is_built_by_the_versions_of_the_root_pom() throws IOException {
    JsonObject build = npm().getAsJsonObject("devDependencies");

    assertThat(build.get("typescript").getAsString())
        .isEqualTo(first(Path.of("../pom.xml"), "<typescript.version>(.*)</typescript.version>"));
    assertThat(build.get("@types/node").getAsString())
        .isEqualTo(first(Path.of("../pom.xml"), "<types-node.version>(.*)</types-node.version>"));
    assertThat(npm().has("dependencies")).as("it needs nothing").isFalse();
  }

  @Test
  void the_wheel_has_types_and_licence_and_needs_nothing() throws IOException {
    try (ZipFile wheel = new ZipFile(PythonPackage.installed().wheel().toFile(), UTF_8)) {
      List<String> names = wheel.stream().map(entry -> entry.getName()).toList();
      assertThat(names).contains("kairos_client/py.typed", "kairos_client/worker.py");
      assertThat(names).anyMatch(name -> name.endsWith(".dist-info/LICENSE"));
      String about =
          names.stream().filter(name -> name.endsWith("/METADATA")).findFirst().orElseThrow();
      ZipEntry entry = requireNonNull(wheel.getEntry(about));
      assertThat(new String(requireNonNull(wheel.getInputStream(entry)).readAllBytes(), UTF_8))
          .contains("License: Apache-2.0")
          .doesNotContain("Requires-Dist");
    }
  }

  @Test
  void the_installed_npm_package_has_types_and_licence_and_needs_nothing() throws IOException {
    Path installed = NpmPackage.installed().project().resolve("node_modules");
    assertThat(installed.resolve("kairos-client/dist/index.d.ts")).exists();
    assertThat(installed.resolve("kairos-client/LICENSE")).exists();
    assertThat(installed.resolve("kairos-client/src")).doesNotExist();
    try (Stream<Path> all = Files.list(installed)) {
      assertThat(all.map(one -> requireNonNull(one.getFileName()).toString()))
          .containsExactlyInAnyOrder("kairos-client", ".package-lock.json");
    }
  }

  /** Each page has a program that says "hello world", which its README has as well. */
  @Test
  void the_programs_of_the_python_page_run_as_they_are_shown() throws IOException {
    List<String> programs = programs("python-client.md");
    for (String program : programs) {
      Path file = Files.writeString(folder.resolve("program.py"), program);
      assertThat(run(List.of(PythonPackage.installed().python().toString(), file.toString())))
          .contains("hello world");
    }
  }

  @Test
  void the_programs_of_the_typescript_page_run_as_they_are_shown() throws IOException {
    List<String> programs = programs("typescript-client.md");
    for (String program : programs) {
      Path file = NpmPackage.installed().project().resolve("program.mjs");
      Files.writeString(file, program);
      assertThat(run(List.of("node", file.toString()))).contains("hello world");
    }
  }

  private static List<String> programs(String page) throws IOException {
    List<String> programs =
        PROGRAM
            .matcher(Files.readString(Path.of("../docs", page)))
            .results()
            .map(PackagesTest::text)
            .toList();
    assertThat(programs).as("programs of docs/%s", page).isNotEmpty();
    return programs;
  }

  private static String text(MatchResult found) {
    return requireNonNull(found.group(1));
  }

  /** The pages call the node of their reader. */
  private String run(List<String> command) {
    return Programs.run(folder, Map.of("KAIROS_ADDRESS", RealNode.shared().address()), command);
  }

  @Test
  void the_page_of_the_kit_lists_its_cases() throws IOException {
    String page = Files.readString(Path.of("../docs/conformance.md"));
    List<String> cases =
        Stream.of(WorkerConformance.class.getDeclaredMethods())
            .filter(method -> method.isAnnotationPresent(Test.class))
            .map(method -> method.getName())
            .toList();

    List<String> listed =
        Pattern.compile("^\\| `(\\w+)` \\|", Pattern.MULTILINE)
            .matcher(page)
            .results()
            .map(PackagesTest::text)
            .filter(name -> name.contains("_"))
            .filter(name -> !name.equals(name.toUpperCase(Locale.ROOT)))
            .toList();

    assertThat(listed).containsExactlyInAnyOrderElementsOf(cases);
  }
}
