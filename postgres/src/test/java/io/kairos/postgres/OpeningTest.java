package io.kairos.postgres;

import static io.kairos.postgres.TestDatabase.sql;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.kairos.domain.node.NodeId;
import io.kairos.engine.node.StoreUnavailable;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;

final class OpeningTest {
  @Test
  void several_nodes_that_start_at_once_migrate_an_empty_database_once() throws Exception {
    TestDatabase database = TestDatabase.create();
    List<Callable<PostgresStores>> starts = new ArrayList<>();
    PostgresConfig small = database.config(2, false);
    for (int i = 0; i < 6; i++) {
      starts.add(() -> PostgresStores.open(small));
    }

    List<PostgresStores> opened = new ArrayList<>();
    try (ExecutorService nodes = Executors.newFixedThreadPool(starts.size())) {
      for (Future<PostgresStores> start : nodes.invokeAll(starts)) {
        opened.add(start.get());
      }
    }

    assertThat(opened)
        .extracting(stores -> stores.messages().route("in-to-out").value())
        .containsOnly(1);
    assertThat(database.number("select count(*) from flyway_schema_history where success"))
        .isEqualTo(database.number("select count(distinct version) from flyway_schema_history"));
    opened.forEach(PostgresStores::close);
  }

  @Test
  void a_database_that_may_lose_commits_is_refused_with_setting_and_key() {
    TestDatabase database = TestDatabase.create();
    String name = database.jdbcUrl().replaceAll(".*/", "");
    database.execute("alter database " + name + " set synchronous_commit = off");

    assertThatExceptionOfType(UnsafeStoreException.class)
        .isThrownBy(database::open)
        .withMessageContaining("synchronous_commit = off")
        .withMessageContaining("postgres.allow-unsafe-durability");
    PostgresConfig unsafe = database.config(2, true);
    assertThatCode(() -> PostgresStores.open(unsafe).close()).doesNotThrowAnyException();
  }

  @Test
  void each_durability_setting_counts_and_the_encoding_too() {
    assertThatCode(() -> new StoreSafety("on", "on", "remote_apply", "UTF8").check(false))
        .doesNotThrowAnyException();
    refuses(new StoreSafety("off", "on", "on", "UTF8"), "fsync");
    refuses(new StoreSafety("on", "off", "on", "UTF8"), "full_page_writes");
    refuses(new StoreSafety("on", "on", "off", "UTF8"), "synchronous_commit = off");
    refuses(new StoreSafety("on", "on", "local", "UTF8"), "synchronous_commit = local");
    refuses(new StoreSafety("on", "on", "on", "LATIN1"), "UTF8");
    assertThatCode(() -> new StoreSafety("off", "off", "off", "UTF8").check(true))
        .doesNotThrowAnyException();
  }

  /** Before there was one file, ten made the schema. */
  @Test
  void a_database_of_an_earlier_build_is_refused_with_both_versions_and_left_as_it_is() {
    TestDatabase database = TestDatabase.create();
    try (PostgresStores stores = database.open()) {
      stores.messages().route("in-to-out");
    }
    long known = database.number("select max(version::integer) from flyway_schema_history");
    database.execute(
        "delete from flyway_schema_history where installed_rank > 1;"
            + " update flyway_schema_history set description = 'delay queue', checksum = 7;"
            + " insert into flyway_schema_history select 2, '100', 'schedule decider', type, 'V100.sql',"
            + " 8, installed_by, installed_on, 1, true from flyway_schema_history");

    assertThatExceptionOfType(UnsafeStoreException.class)
        .isThrownBy(database::open)
        .withMessageContaining("version 100 (schedule decider)")
        .withMessageContaining("its own versions up to " + known + ":")
        .withMessageContaining("nothing was changed");
    assertThat(database.number("select count(*) from route")).isOne();
    assertThat(database.number("select count(*) from flyway_schema_history")).isEqualTo(2);
  }

  /** A node that was not yet replaced may start again beside newer ones. */
  @Test
  void a_database_that_a_later_build_has_taken_further_is_opened() {
    TestDatabase database = TestDatabase.create();
    database.open().close();
    database.execute(
        "insert into flyway_schema_history select 1000, '1000', 'later', type, 'V1000.sql', 8,"
            + " installed_by, installed_on, 1, true from flyway_schema_history limit 1");

    assertThatCode(() -> database.open().close()).doesNotThrowAnyException();
  }

  /** Two steps: a version that no longer needs something, and a later one that takes it away. */
  @Test
  void what_older_nodes_need_is_taken_away_after_them_and_they_do_not_start_again() {
    TestDatabase database = TestDatabase.create();
    NodeId node = new NodeId(new UUID(1, 1));
    try (PostgresStores stores = database.open()) {
      stores.liveness().enrol(node, Duration.ofSeconds(1));

      assertThatExceptionOfType(UnsafeStoreException.class)
          .isThrownBy(() -> migrateFurther(database))
          .withMessageContaining("version 1001 (contract after 1000 for the test)")
          .withMessageContaining("nodes that run do not know version 1000: 1;");

      NodeId frozen = new NodeId(new UUID(1, 2));
      stores.liveness().enrol(frozen, Duration.ofSeconds(1));
      database.execute(
          "update node set renewed_at = renewed_at - interval '2 minutes' where id = '"
              + frozen
              + "'");
      assertThatExceptionOfType(UnsafeStoreException.class)
          .isThrownBy(() -> migrateFurther(database))
          .withMessageContaining("nothing was changed");
      assertThat(stores.liveness().renew(frozen)).isPresent();

      stores.liveness().retire(node);
      NodeId slow = new NodeId(new UUID(1, 4));
      stores.liveness().enrol(slow, Duration.ofMinutes(5));
      database.execute("update node set renewed_at = renewed_at - interval '2 minutes'");
      assertThatExceptionOfType(UnsafeStoreException.class)
          .isThrownBy(() -> migrateFurther(database))
          .withMessageContaining("do not know version 1000: 1;");

      stores.liveness().retire(slow);
      migrateFurther(database);

      assertThat(stores.liveness().renew(frozen)).isEmpty();
      assertThatExceptionOfType(IllegalStateException.class)
          .isThrownBy(
              () -> stores.liveness().enrol(new NodeId(new UUID(1, 3)), Duration.ofSeconds(1)))
          .withMessageContaining("needs nodes that know version 1000");
    }
    assertThatExceptionOfType(UnsafeStoreException.class)
        .isThrownBy(database::open)
        .withMessageContaining("needs nodes that know version 1000")
        .withMessageContaining("start a later build");
  }

  /** A node has been opened, but not yet enrolled, when another one begins to take away. */
  @Test
  void a_node_enrols_before_what_it_needs_is_taken_away_or_not_at_all() throws Exception {
    TestDatabase database = TestDatabase.create();
    PostgresConfig patient = database.config();
    PostgresConfig impatient =
        new PostgresConfig(
            patient.jdbcUrl(),
            patient.user(),
            patient.password(),
            patient.poolSize(),
            Duration.ofSeconds(1),
            patient.connectTimeout(),
            false,
            patient.schema());
    try (PostgresStores stores = PostgresStores.open(impatient)) {
      database.during(
          sql("select pg_advisory_lock(118066125107060)"),
          () -> {
            assertThatExceptionOfType(StoreUnavailable.class)
                .isThrownBy(() ->
                    stores.liveness().enrol(new NodeId(new UUID(1, 1)), Duration.ofSeconds(1)));
            return database.number("select count(*) from node");
          });
      assertThat(database.number("select count(*) from node")).isZero();

      stores.liveness().enrol(new NodeId(new UUID(1, 1)), Duration.ofSeconds(1));
    }
  }

  private static void migrateFurther(TestDatabase database) {
    ServerTimelines timelines = new ServerTimelines();
    SchemaMigrations.run(
        ConnectionSource.forTurns(database.config(), timelines),
        ConnectionSource.forMigrations(database.config(), timelines),
        false,
        SchemaMigrations.FOLDER,
        "classpath:io/kairos/postgres/later");
  }

  @Test
  void a_migration_does_not_hold_up_others_while_it_waits_for_a_transaction() throws Exception {
    TestDatabase database = TestDatabase.create();
    migrateTo("4", database);

    database.during(
        sql("select kairos_schedule('h')"),
        () -> {
          assertThatExceptionOfType(StoreUnavailable.class)
              .isThrownBy(database::open)
              .withMessageContaining("55P03");
          return database.number("select count(*) from task_queue");
        });

    database.open().close();
    assertThat(database.number("select count(*) from task")).isOne();
  }

  @Test
  void who_may_call_kairos_schedule_may_do_so_after_a_migration_that_changes_it() {
    TestDatabase database = TestDatabase.create();
    migrateTo("4", database);
    database.execute("create role migrated login");
    try {
      database.execute("grant execute on function kairos_schedule to migrated");
      database.open().close();

      String may =
          "select has_function_privilege('%s', p.oid, 'execute')::int from pg_proc p where proname = 'kairos_schedule'";
      assertThat(database.number(may.formatted("migrated"))).isOne();
      assertThat(database.number(may.formatted("pg_monitor"))).isZero();
    } finally {
      database.execute("drop owned by migrated");
      database.execute("drop role migrated");
    }
  }

  @Test
  void what_depends_on_a_former_kairos_schedule_goes_on_after_a_migration_that_changes_it() {
    TestDatabase database = TestDatabase.create();
    migrateTo("4", database);
    database.execute("create view reminders as select kairos_schedule('remind') as id");
    database.execute(
        "create function invoice() returns uuid"
            + " begin atomic select kairos_schedule('invoice', key => 'k'); end");
    database.execute(
        "create function called_by_name() returns uuid language sql"
            + " as 'select kairos_schedule(''by-name'')'");

    database.open().close();

    assertThat(database.number("select count(id) from reminders")).isOne();
    assertThat(database.number("select count(invoice())")).isOne();
    assertThat(database.number("select count(called_by_name())")).isOne();
    assertThat(database.number("select count(kairos_schedule('h', reject_beyond => '1 h'))"))
        .isOne();
    assertThat(
            database.number(
                "select count(*) from task_queue where made_by = 'role ' || session_user"))
        .isEqualTo(4);
  }

  @Test
  void what_depends_on_the_function_before_graphs_goes_on_with_that_of_graphs() {
    TestDatabase database = TestDatabase.create();
    migrateTo("17", database);
    database.execute("create view late as select kairos_schedule('late', reject_beyond => '1 h')");

    database.open().close();

    assertThat(database.number("select count(*) from late")).isOne();
    assertThat(
            database.number(
                "select count(kairos_schedule('h', '', null, '1 s', 50, null, null, null, null,"
                    + " null, null, 'keep', null, null, 3, null, null, null, '1 h'))"))
        .isOne();
    assertThat(
            database.number(
                "select count(*) from pg_proc where proname in ('kairos_schedule', 'kairos_schedule_19')"))
        .isEqualTo(2);
  }

  @Test
  void the_tables_are_in_a_schema_of_ones_choice() {
    TestDatabase database = TestDatabase.create();
    PostgresConfig elsewhere = database.config(new SchemaConfig("jobs", SchemaConfig.Migrate.ON));

    for (int start = 0; start < 2; start++) {
      try (PostgresStores stores = PostgresStores.open(elsewhere)) {
        assertThat(stores.messages().route("in-to-out").value()).isOne();
        stores.liveness().enrol(new NodeId(new UUID(1, start)), Duration.ofSeconds(1));
      }
    }

    assertThat(database.number("select count(*) from pg_tables where schemaname = 'public'"))
        .isZero();
    assertThat(database.number("select count(*) from jobs.node")).isEqualTo(2);
    assertThat(database.number("select count(jobs.kairos_schedule('h'))")).isOne();
    assertThat(database.number("select count(*) from jobs.task")).isOne();
  }

  /** A mistyped name would leave the work of all others behind. */
  @Test
  void a_second_installation_in_a_database_is_begun_by_a_command_only() {
    TestDatabase database = TestDatabase.create();
    SchemaConfig jobs = new SchemaConfig("jobs", SchemaConfig.Migrate.ON);
    PostgresConfig mistyped = database.config(new SchemaConfig("jbos", SchemaConfig.Migrate.ON));
    PostgresStores.open(database.config(jobs)).close();

    assertThatExceptionOfType(UnsafeStoreException.class)
        .isThrownBy(() -> PostgresStores.open(mistyped))
        .withMessageContaining("in schema jobs")
        .withMessageContaining("kairos schema migrate");
    assertThat(database.number("select count(*) from pg_namespace where nspname = 'jbos'"))
        .isZero();

    OperatedSchema.migrate(mistyped, null);
    PostgresStores.open(mistyped).close();
    PostgresStores.open(database.config(jobs)).close();
  }

  /** The schema of the user's own name is left to who made the user. */
  @Test
  void a_search_path_without_a_schema_makes_none() {
    TestDatabase database = TestDatabase.create();
    database.execute(
        "alter database "
            + database.jdbcUrl().replaceAll(".*/", "")
            + " set search_path = '$user'");

    assertThatExceptionOfType(UnsafeStoreException.class)
        .isThrownBy(database::open)
        .withMessageContaining("postgres.schema");
    assertThat(database.number("select count(*) from pg_namespace where nspname like '%user%'"))
        .isZero();
  }

  @Test
  void a_node_that_may_not_migrate_refuses_an_older_schema_and_names_the_command() {
    TestDatabase database = TestDatabase.create();
    PostgresConfig off = database.config(new SchemaConfig("", SchemaConfig.Migrate.OFF));

    assertThatExceptionOfType(UnsafeStoreException.class)
        .isThrownBy(() -> PostgresStores.open(off))
        .withMessageContaining("the schema of the database is empty")
        .withMessageContaining("kairos schema migrate");
    assertThat(database.number("select count(*) from pg_tables where schemaname = 'public'"))
        .isZero();
    migrateTo("4", database);
    assertThatExceptionOfType(UnsafeStoreException.class)
        .isThrownBy(() -> PostgresStores.open(off))
        .withMessageContaining("is version 4, this build needs version");
  }

  @Test
  void one_role_migrates_and_another_runs_that_may_not() {
    TestDatabase database = TestDatabase.create();
    SchemaConfig jobs = new SchemaConfig("jobs", SchemaConfig.Migrate.OFF);
    database.execute("create role runs login password 'r'");
    try {
      int version = OperatedSchema.migrate(database.config(jobs), "runs");

      assertThat(version)
          .isEqualTo(
              database.number("select max(version::integer) from jobs.flyway_schema_history"));
      TestDatabase asRole = new TestDatabase(database.jdbcUrl(), "runs", "r");
      try (PostgresStores stores = PostgresStores.open(asRole.config(jobs))) {
        assertThat(stores.messages().route("in-to-out").value()).isOne();
        stores.liveness().enrol(new NodeId(new UUID(1, 1)), Duration.ofSeconds(1));
        stores.liveness().retire(new NodeId(new UUID(1, 1)));
      }
      assertThat(database.number("select has_schema_privilege('runs', 'jobs', 'create')::int"))
          .isZero();
      assertThat(
              database.number(
                  "select has_sequence_privilege('runs', 'jobs.task_bell', 'update')::int"))
          .as("the bell is set back with the clock")
          .isOne();
      assertThat(
              database.number(
                  "select has_table_privilege('runs', 'jobs.flyway_schema_history', 'insert')::int"))
          .isZero();
    } finally {
      database.execute("drop owned by runs");
      database.execute("drop role runs");
    }
  }

  @Test
  void a_user_that_may_not_read_the_state_of_the_server_is_refused_with_the_grant() {
    TestDatabase database = TestDatabase.create();
    database.execute("revoke execute on function pg_control_system() from public");
    database.execute("create role blind login password 'b'");
    try {
      TestDatabase asRole = new TestDatabase(database.jdbcUrl(), "blind", "b");

      assertThatExceptionOfType(UnsafeStoreException.class)
          .isThrownBy(asRole::open)
          .withMessageContaining("the user blind may not read")
          .withMessageContaining("permission denied for function pg_control_system")
          .withMessageContaining("grant the user execute");
    } finally {
      database.execute("drop role blind");
    }
  }

  @Test
  void what_the_owner_of_a_schema_should_do_is_found() throws SQLException {
    TestDatabase database = TestDatabase.create();
    database.open().close();
    database.execute("grant create on schema public to public");
    try (Connection connection = database.connect()) {
      assertThat(SchemaWarnings.of(connection))
          .singleElement()
          .asString()
          .startsWith(
              "every role of the database may create functions in the schema of Kairos, public");

      database.execute("revoke create on schema public from public");
      database.execute("drop index task_fair");

      assertThat(SchemaWarnings.of(connection))
          .singleElement()
          .asString()
          .contains(
              "do not take turns yet",
              " on public.task (",
              "\"drop index concurrently public.task_fair\"");
      Matcher statement =
          Pattern.compile("\"create index concurrently ([^\"]+)\"")
              .matcher(SchemaWarnings.of(connection).getFirst());
      assertThat(statement.find()).isTrue();
      database.execute("create index " + statement.group(1));
      assertThat(SchemaWarnings.of(connection)).isEmpty();
    }
  }

  @Test
  void a_schema_with_tables_of_others_is_refused_with_the_remedy_and_left_as_it_is() {
    TestDatabase database = TestDatabase.create();
    database.execute("create table orders (id bigint)");

    assertThatExceptionOfType(UnsafeStoreException.class)
        .isThrownBy(database::open)
        .withMessageContaining("postgres.schema");

    assertThat(database.number("select count(*) from pg_tables where schemaname = 'public'"))
        .isOne();
  }

  @Test
  void the_sql_of_the_migrations_can_be_read_before_they_run() {
    String all = OperatedSchema.sql(0);

    assertThat(all).startsWith("-- V1__kairos.sql").contains("create table node (");
    assertThat(OperatedSchema.sql(1)).startsWith("-- V2__").isSubstringOf(all);
    assertThat(OperatedSchema.sql(1_000)).isEmpty();
  }

  private static void migrateTo(String version, TestDatabase database) {
    Flyway.configure()
        .dataSource(database.jdbcUrl(), database.user(), database.password())
        .locations(SchemaMigrations.FOLDER)
        .target(version)
        .load()
        .migrate();
  }

  private static void refuses(StoreSafety safety, String named) {
    assertThatExceptionOfType(UnsafeStoreException.class)
        .isThrownBy(() -> safety.check(false))
        .withMessageContaining(named);
  }

  @Test
  void a_wrong_password_is_reported_without_being_shown() {
    TestDatabase database = TestDatabase.create();

    assertThatExceptionOfType(StoreUnavailable.class)
        .isThrownBy(() ->
            PostgresStores.open(PostgresConfig.of(database.jdbcUrl(), database.user(), "s3cret")))
        .withMessageContaining("28P01")
        .withMessageNotContaining("s3cret");
  }

  @Test
  void a_closed_store_is_unavailable() {
    PostgresStores stores = TestDatabase.create().open();
    stores.close();
    stores.close();

    assertThatExceptionOfType(StoreUnavailable.class)
        .isThrownBy(() -> stores.messages().route("in-to-out"));
    assertThatExceptionOfType(StoreUnavailable.class).isThrownBy(() -> stores.liveness().time());
  }

  @Test
  void an_interrupted_caller_gets_unavailable_and_stays_interrupted() throws Exception {
    try (PostgresStores stores = TestDatabase.create().open();
        ExecutorService caller = Executors.newSingleThreadExecutor()) {
      Future<Boolean> still =
          caller.submit(() -> {
            Thread.currentThread().interrupt();
            try {
              stores.messages().route("in-to-out");
            } catch (StoreUnavailable expected) {
              return Thread.currentThread().isInterrupted();
            }
            return Thread.currentThread().isInterrupted();
          });

      assertThat(still.get()).isTrue();
    }
  }
}
