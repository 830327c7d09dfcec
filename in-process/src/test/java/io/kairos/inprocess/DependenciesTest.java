package io.kairos.inprocess;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
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
}
