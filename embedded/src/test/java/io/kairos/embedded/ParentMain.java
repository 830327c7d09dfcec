package io.kairos.embedded;

import java.nio.file.Path;
import java.sql.DriverManager;

/**
 * A JVM that owns engines, for tests that kill it or look at it from outside. Arguments: the data
 * directory, the port of Postgres, and the port of Kafka or -1 for none. Prints one line for each
 * engine that is ready and then waits to be killed.
 */
final class ParentMain {
  private ParentMain() {}

  public static void main(String[] arguments) throws Exception {
    Path directory = Path.of(arguments[0]);
    EmbeddedPostgres postgres =
        start(PostgresOptions.in(directory).withPort(Integer.parseInt(arguments[1])));
    try (var connection =
            DriverManager.getConnection(postgres.jdbcUrl(), postgres.user(), postgres.password());
        var statement = connection.createStatement()) {
      statement.execute("create table if not exists run (at timestamptz)");
      statement.execute("insert into run values (now())");
    }
    System.out.println("postgres " + postgres.pid());
    int kafkaPort = Integer.parseInt(arguments[2]);
    if (kafkaPort >= 0) {
      EmbeddedKafka kafka =
          EmbeddedKafka.start(KafkaOptions.forTests(directory).withPort(kafkaPort));
      System.out.println("kafka " + kafka.pid());
    }
    Thread.currentThread().join();
  }

  private static EmbeddedPostgres start(PostgresOptions options) {
    try {
      return EmbeddedPostgres.start(options);
    } catch (EmbeddedStartException e) {
      System.out.println(e.problem() + " " + e.getMessage());
      throw e;
    }
  }
}
