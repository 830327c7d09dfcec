package io.kairos.examples.images;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Which jars the starter brings into an application. */
class ClassPathIT {
  private static List<String> jars() throws IOException {
    try (JarFile application = new JarFile("target/images.jar")) {
      String path =
          requireNonNull(application.getManifest())
              .getMainAttributes()
              .getValue(Attributes.Name.CLASS_PATH);
      return Stream.of(requireNonNull(path).split(" ", -1))
          .map(jar -> jar.replaceAll("^lib/|-\\d.*", ""))
          .toList();
    }
  }

  @Test
  void the_starter_brings_the_client_and_none_of_the_servers_libraries() throws IOException {
    assertThat(jars())
        .filteredOn(jar -> jar.startsWith("kairos-"))
        .containsExactlyInAnyOrder(
            "kairos-api",
            "kairos-client",
            "kairos-client-jackson2",
            "kairos-client-jackson3",
            "kairos-spring-boot-starter");
    assertThat(jars())
        .contains("grpc-netty-shaded", "spring-boot-autoconfigure")
        .noneMatch(jar ->
            jar.matches(
                "(netty|armeria|flyway|HikariCP|kafka|ratis|micrometer-core|postgresql).*"));
  }
}
