package io.kairos.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class PostgresConfigTest {
  private static final PostgresConfig GOOD =
      PostgresConfig.of("jdbc:postgresql://db.example/kairos?sslmode=require", "kairos", "s3cret");

  @Test
  void the_password_is_never_shown() {
    assertThat(GOOD.toString()).contains("db.example").doesNotContain("s3cret");
  }

  @Test
  void the_url_may_name_all_servers_of_a_cluster() {
    String url = "jdbc:postgresql://a:5432,b:5433,[::1]:5434/kairos?targetServerType=primary";

    assertThat(PostgresConfig.of(url, "kairos", "s3cret").jdbcUrl()).isEqualTo(url);
  }

  @Test
  void the_url_must_be_one_of_postgres_without_credentials() {
    for (String url :
        new String[] {
          "jdbc:mysql://db/kairos",
          "postgres://db/kairos",
          "jdbc:postgresql://db/kairos?password=s3cret",
          "jdbc:postgresql://db/kairos?ssl=true&user=me",
          "jdbc:postgresql://me:s3cret@db/kairos"
        }) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> PostgresConfig.of(url, "kairos", ""))
          .withMessageContaining("postgres.url")
          .withMessageNotContaining("s3cret");
    }
  }

  @Test
  void what_is_out_of_bounds_is_named() {
    refuses("postgres.user", "", 4, Duration.ofSeconds(3), Duration.ofSeconds(1));
    refuses("postgres.pool-size", "u", 1, Duration.ofSeconds(3), Duration.ofSeconds(1));
    refuses("postgres.pool-size", "u", 501, Duration.ofSeconds(3), Duration.ofSeconds(1));
    refuses("postgres.statement-timeout", "u", 4, Duration.ZERO, Duration.ofSeconds(1));
    refuses("postgres.statement-timeout", "u", 4, Duration.ofHours(1), Duration.ofSeconds(1));
    refuses("postgres.connect-timeout", "u", 4, Duration.ofSeconds(3), Duration.ofMillis(249));
    refuses("postgres.connect-timeout", "u", 4, Duration.ofSeconds(3), Duration.ofHours(1));
  }

  private static void refuses(
      String key, String user, int poolSize, Duration statement, Duration connect) {
    assertThatIllegalArgumentException()
        .isThrownBy(() ->
            new PostgresConfig(
                GOOD.jdbcUrl(),
                user,
                "",
                poolSize,
                statement,
                connect,
                false,
                SchemaConfig.defaults()))
        .withMessageContaining(key);
  }
}
