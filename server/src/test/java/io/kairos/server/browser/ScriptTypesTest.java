package io.kairos.server.browser;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.server.program.InstalledProgram;
import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The types that the comments of the dashboard's scripts name: TypeScript checks them, run by Node.
 */
class ScriptTypesTest {
  private static final Path UI = Path.of("../ui");

  private static final List<String> LIBRARIES =
      List.of("lit", "lit-html", "lit-element", "lit__reactive-element", "uplot", "typescript");

  /** Declarations of types, and the program that checks. */
  private static final Pattern NEEDED =
      Pattern.compile(
          "META-INF/resources/webjars/(?<library>[^/]+)/[^/]+/(?<path>package\\.json|.*\\.d\\.ts|lib/_?tsc\\.js)");

  @Test
  void the_scripts_of_the_dashboard_keep_to_the_types_that_their_comments_name() throws Exception {
    String node = InstalledProgram.named("node");
    for (String library : LIBRARIES) {
      unpack(library);
    }

    Process check =
        new ProcessBuilder(node, "target/lib/typescript/lib/tsc.js", "--project", "tsconfig.json")
            .directory(UI.toFile())
            .redirectErrorStream(true)
            .start();
    String said = new String(check.getInputStream().readAllBytes(), UTF_8);

    assertThat(check.waitFor()).as(said).isZero();
  }

  /** Writes what is needed of a library to where tsconfig.json looks. */
  private static void unpack(String library) throws IOException {
    URL about =
        requireNonNull(
            ScriptTypesTest.class.getResource(
                "/META-INF/maven/org.webjars.npm/" + library + "/pom.properties"),
            library);
    JarFile jar = ((JarURLConnection) about.openConnection()).getJarFile();
    for (JarEntry entry : jar.stream().toList()) {
      Matcher needed = NEEDED.matcher(entry.getName());
      if (needed.matches()) {
        Path file =
            UI.resolve("target/lib").resolve(library).resolve(requireNonNull(needed.group("path")));
        Files.createDirectories(requireNonNull(file.getParent()));
        try (InputStream in = requireNonNull(jar.getInputStream(entry))) {
          Files.write(file, in.readAllBytes());
        }
      }
    }
  }
}
