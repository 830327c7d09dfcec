package io.kairos.postgres;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** Servers migrate by Flyway, applications by scripts: each must take what the other has made. */
final class ScriptMigrationsTest {
  private static final String SCHEMA = "jobs";

  private static final SchemaConfig PLACE = new SchemaConfig(SCHEMA, SchemaConfig.Migrate.ON);

  private final TestDatabase database = TestDatabase.create();

  private PGSimpleDataSource source() {
    PGSimpleDataSource source = new PGSimpleDataSource();
    PostgresConfig config = database.config(2, false);
    source.setUrl(config.jdbcUrl());
    source.setUser(config.user());
    source.setPassword(config.password());
    return source;
  }

  private int bring() {
    return ScriptMigrations.bring(
        new ApplicationDatabase(
            source(), 3, PLACE, Duration.ofSeconds(3), Duration.ofSeconds(2), false));
  }

  private Flyway flyway() {
    return flyway("latest");
  }

  /** As a server whose last migration is this one. */
  private Flyway flyway(String last) {
    return Flyway.configure()
        .dataSource(source())
        .schemas(SCHEMA)
        .locations(SchemaMigrations.FOLDER)
        .target(last)
        .load();
  }

  private String text(String sql) {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return requireNonNull(row.getString(1));
    } catch (SQLException e) {
      throw new AssertionError(sql, e);
    }
  }

  /** Tables with their columns, indexes, constraints, functions and triggers. */
  private String shape() {
    return text(
        """
        select string_agg(line, E'\\n' order by line) from (
          select format('%s.%s %s %s %s', table_name, column_name, data_type, is_nullable, column_default) as line
            from information_schema.columns where table_schema = 'jobs'
          union all select indexdef from pg_indexes where schemaname = 'jobs'
          union all select format('%s %s', conrelid::regclass, pg_get_constraintdef(oid)) from pg_constraint where connamespace = 'jobs'::regnamespace
          union all select pg_get_functiondef(oid) from pg_proc where pronamespace = 'jobs'::regnamespace
          union all select pg_get_triggerdef(t.oid) from pg_trigger t join pg_class c on c.oid = t.tgrelid where c.relnamespace = 'jobs'::regnamespace and not t.tgisinternal
        ) lines
        """);
  }

  @Test
  void the_index_names_every_script() throws IOException {
    try (Stream<Path> files =
        Files.list(Path.of("src/main/resources/io/kairos/postgres/migration"))) {
      assertThat(MigrationScript.all())
          .extracting(MigrationScript::file)
          .containsExactlyInAnyOrderElementsOf(
              files.map(file -> requireNonNull(file.getFileName()).toString()).toList());
    }
    assertThat(MigrationScript.all()).extracting(MigrationScript::version).isSorted();
  }

  @Test
  void a_server_takes_the_schema_that_an_application_has_made() {
    int version = bring();

    flyway().validate();
    assertThat(flyway().info().pending()).isEmpty();
    assertThat(flyway().migrate().migrationsExecuted).isZero();
    assertThat(flyway().info().current().getVersion().getVersion())
        .isEqualTo(Integer.toString(version));
    String made = shape();
    database.execute("drop schema jobs cascade");
    flyway().migrate();
    assertThat(made).isEqualTo(shape());
  }

  @Test
  void an_application_takes_the_schema_that_a_server_has_made_and_goes_on_with_an_older_one() {
    flyway("10").migrate();

    int version = bring();

    flyway().validate();
    assertThat(flyway().info().pending()).isEmpty();
    assertThat(bring()).isEqualTo(version);
  }

  @Test
  void the_printed_sql_may_be_run_by_hand() {
    database.execute("create schema jobs; set search_path = jobs; " + OperatedSchema.sql(0));

    flyway().validate();
    assertThat(flyway().info().pending()).isEmpty();
    assertThat(
            ScriptMigrations.bring(
                new ApplicationDatabase(
                    source(),
                    3,
                    new SchemaConfig(SCHEMA, SchemaConfig.Migrate.OFF),
                    Duration.ofSeconds(3),
                    Duration.ofSeconds(2),
                    false)))
        .isEqualTo(MigrationScript.all().getLast().version());
  }

  @Test
  void the_schema_of_another_build_is_refused_and_left_as_it_is() {
    bring();
    database.execute(
        "update jobs.flyway_schema_history set checksum = checksum + 1 where version = '5'");

    assertThatExceptionOfType(UnsafeStoreException.class)
        .isThrownBy(this::bring)
        .withMessageContaining("another build");
  }

  @Test
  void a_schema_with_objects_of_others_is_refused() {
    database.execute("create schema jobs; create table jobs.invoice (id text)");

    assertThatExceptionOfType(UnsafeStoreException.class)
        .isThrownBy(this::bring)
        .withMessageContaining("none of Kairos' history");
  }

  @Test
  void a_later_schema_that_only_adds_is_used() {
    bring();
    database.execute(
        "insert into jobs.flyway_schema_history select 1000, '999', 'more', 'SQL', 'V999__more.sql', 1, 'x', now(), 1, true");

    assertThat(bring()).isLessThan(999);
  }

  @Test
  void instances_that_start_at_once_take_turns() {
    List<Integer> versions =
        Stream.generate(() -> 1).limit(4).parallel().map(_ -> bring()).toList();

    assertThat(versions).hasSize(4).allMatch(versions.getFirst()::equals);
  }

  @Test
  void a_migration_waits_for_transactions_of_others_longer_than_for_one_lock() throws Exception {
    flyway("10").migrate();

    int version =
        database.blockedBehind(
            TestDatabase.sql("lock table jobs.task in row exclusive mode"),
            this::bring,
            () -> database.execute("select pg_sleep(1.5)"));

    assertThat(version).isEqualTo(MigrationScript.all().getLast().version());
    flyway().validate();
  }
}
