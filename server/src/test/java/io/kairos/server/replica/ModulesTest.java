package io.kairos.server.replica;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.engine.cron.module.CronModule;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModulesTest {
  private static final String SOURCE =
      """
      import io.kairos.engine.cron.module.*;

      public final class Beats implements CronModule {
        @Override
        public String name() {
          return "beats";
        }

        @Override
        public void run(Fire fire, ModuleState state, ModuleEffects effects) {}
      }
      """;

  @TempDir private Path folder;

  /** A jar whose class nobody else has. */
  private Path jar() throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    JavaFileObject source =
        new SimpleJavaFileObject(URI.create("string:///Beats.java"), JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreErrors) {
            return SOURCE;
          }
        };
    Path classes = Files.createDirectories(folder.resolve("classes"));
    assertThat(
            compiler
                .getTask(
                    null,
                    null,
                    null,
                    List.of("-proc:none", "-d", classes.toString()),
                    null,
                    List.of(source))
                .call())
        .isTrue();
    Path jar = Files.createDirectories(folder.resolve("jars")).resolve("beats.jar");
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      out.putNextEntry(new JarEntry("Beats.class"));
      out.write(Files.readAllBytes(classes.resolve("Beats.class")));
      out.putNextEntry(new JarEntry("META-INF/services/" + CronModule.class.getName()));
      out.write("Beats\n".getBytes(UTF_8));
    }
    return jar;
  }

  private static List<String> names(Path place) throws IOException {
    try (ModuleJars jars = new ModuleJars(List.of(place))) {
      return jars.load().stream().map(CronModule::name).toList();
    }
  }

  @Test
  void modules_are_found_in_a_jar_and_in_a_folder_of_jars() throws IOException {
    Path jar = jar();

    assertThat(names(jar)).contains("beats");
    assertThat(names(folder.resolve("jars"))).contains("beats");
    assertThat(names(folder)).doesNotContain("beats");
    assertThatThrownBy(() -> names(folder.resolve("nothing")))
        .hasMessageContaining("replica.modules")
        .hasMessageContaining("nothing");
  }

  @Test
  void a_replica_is_not_started_without_a_module_that_it_has_had() {
    KnownModules known =
        new KnownModules(
            folder.resolve("data"),
            (file, content) -> Files.writeString(file, UTF_8.decode(content)));
    known.check(List.of());
    known.check(List.of("leases", "beats"));
    known.check(List.of("leases", "beats", "clocks"));

    assertThatThrownBy(() -> known.check(List.of("leases")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("does not have beats, clocks");
    assertThatCode(() -> known.check(List.of("beats", "clocks", "leases")))
        .doesNotThrowAnyException();
  }
}
