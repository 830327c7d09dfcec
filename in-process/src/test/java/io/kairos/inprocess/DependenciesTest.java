package io.kairos.inprocess;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.constant.ClassDesc;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The enforcer holds which jars come; this holds that the tests prove the code needs no others. */
final class DependenciesTest {
  @Test
  void the_class_path_of_an_application_has_none_of_the_servers_libraries() {
    List<String> unwanted =
        List.of(
            "io.grpc.Status",
            "io.grpc.netty.shaded.io.netty.channel.Channel",
            "io.netty.channel.Channel",
            "com.linecorp.armeria.server.Server",
            "org.flywaydb.core.Flyway",
            "com.zaxxer.hikari.HikariDataSource",
            "org.apache.kafka.clients.producer.Producer",
            "io.micrometer.core.instrument.MeterRegistry",
            "com.fasterxml.jackson.core.JsonFactory");

    assertThat(unwanted).noneMatch(DependenciesTest::isThere);
  }

  private static boolean isThere(String name) {
    try {
      Class.forName(name, false, DependenciesTest.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  /**
   * No class that a node inside may come to names one that is not there, but for those that have
   * been looked at: what they need it for is never done here. The generated services of the API and
   * the client's connections name gRPC.
   */
  @Test
  void what_is_not_there_is_named_by_few_classes_and_not_used_inside() throws IOException {
    SortedSet<String> naming = new TreeSet<>();
    Set<String> seen = new HashSet<>();
    Deque<String> left = new ArrayDeque<>(List.of("io/kairos/inprocess/Kairos"));
    while (!left.isEmpty()) {
      String name = left.remove();
      for (String named : namedBy(name)) {
        if (!isFound(named)) {
          naming.add(name.replaceFirst("\\$.*", ""));
        } else if (named.startsWith("io/kairos/") && seen.add(named)) {
          left.add(named);
        }
      }
    }
    naming.removeIf(name ->
        name.matches("io/kairos/api/v1/.*Grpc") || name.startsWith("io/kairos/client/net/"));

    assertThat(seen).hasSizeGreaterThan(500);
    assertThat(naming)
        .containsExactly(
            "io/kairos/client/RemoteCalls",
            "io/kairos/client/worker/WorkerRemoteCalls",
            "io/kairos/edge/call/GivenPayload", // of payloads that are given as JSON
            "io/kairos/edge/caller/PresentCaller", // of callers at a door
            "io/kairos/postgres/HikariPool",
            "io/kairos/postgres/SchemaMigrations");
  }

  private static Set<String> namedBy(String name) throws IOException {
    Set<String> named = new HashSet<>();
    try (InputStream in = loader().getResourceAsStream(name + ".class")) {
      for (PoolEntry entry :
          ClassFile.of().parse(requireNonNull(in).readAllBytes()).constantPool()) {
        if (entry instanceof ClassEntry one) {
          ClassDesc type = one.asSymbol();
          while (type.isArray()) {
            type = requireNonNull(type.componentType());
          }
          if (type.isClassOrInterface()) {
            String descriptor = type.descriptorString();
            named.add(descriptor.substring(1, descriptor.length() - 1));
          }
        }
      }
    }
    return named;
  }

  private static boolean isFound(String name) {
    return loader().getResource(name + ".class") != null;
  }

  private static ClassLoader loader() {
    return requireNonNull(DependenciesTest.class.getClassLoader());
  }
}
