package io.kairos.postgres;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The rule by which nodes of two builds run on one database while they are replaced: a migration
 * only adds, and holds no lock for long. CONTRIBUTING.md says it in words.
 */
final class MigrationRulesTest {
  private static final Path FOLDER = Path.of("src/main/resources/io/kairos/postgres/migration");

  /** Earlier ones are as they are. */
  private static final int FIRST = 5;

  private static final Pattern NAME = Pattern.compile("V(\\d+)__(contract_after_)?.*\\.sql");
  private static final Pattern CREATED = Pattern.compile("create table (\\w+)");

  /** A function that makes room for its successor of the same name gets a number at its end. */
  private static final Pattern RENAMED_FUNCTION =
      Pattern.compile("\\balter function \\S+ rename to (?:(\\w+)_\\d+\\b)?");

  /** What earlier builds would miss: only for migrations with "contract_after_N" in their names. */
  private static final Map<String, Pattern> TAKES_AWAY =
      Map.of(
          "drops what earlier builds use",
          Pattern.compile("\\bdrop (table|column|view|sequence|not null|default)\\b"),
          "renames",
          Pattern.compile("\\balter (?!function\\b)[^;]*\\brename\\b"),
          "changes a type",
          Pattern.compile("alter column \\w+ (set data )?type\\b"),
          "wants values that earlier builds do not give",
          Pattern.compile(
              "set not null\\b|add column (?![^,;]*\\bdefault\\b)[^,;]*\\bnot null\\b"));

  /** What reads a whole table while everybody waits. */
  private static final Map<String, Pattern> LOCKS_FOR_LONG =
      Map.of(
          "builds an index of a table that exists",
          Pattern.compile("create (?:unique )?index (?:concurrently )?\\w+ on (\\w+)"),
          "checks all rows: add it as not valid, and validate it in a migration of its own",
          Pattern.compile(
              "alter table (\\w+) (?:[^;]*, )?add constraint (?![^;]*\\bnot valid\\b)"));

  /** An index of a table that is small at that time, and whose rows are not in the index yet. */
  private static final Pattern OF_A_SMALL_TABLE =
      Pattern.compile(
          "if pg_relation_size\\('(\\w+)'\\) < 100 \\* 1024 \\* 1024 then create index \\w+ on \\1 ");

  @Test
  void a_migration_only_adds_and_holds_no_lock_for_long() throws IOException {
    List<String> findings = new ArrayList<>();
    try (Stream<Path> files = Files.list(FOLDER)) {
      for (Path file : files.toList()) {
        String name = requireNonNull(file.getFileName()).toString();
        Matcher named = NAME.matcher(name);
        assertThat(named.matches()).as(name).isTrue();
        if (Integer.parseInt(requireNonNull(named.group(1))) >= FIRST) {
          findings(Files.readString(file), named.group(2) != null)
              .forEach(finding -> findings.add(name + " " + finding));
        }
      }
    }

    assertThat(findings).isEmpty();
  }

  /** A database that has it would be refused. */
  @Test
  void a_released_migration_is_never_edited() throws Exception {
    for (String line : Files.readAllLines(Path.of("src/test/resources/released-migrations.txt"))) {
      String[] released = line.split("  ", 2);
      byte[] sum =
          MessageDigest.getInstance("SHA-256")
              .digest(Files.readAllBytes(FOLDER.resolve(released[1])));

      assertThat(HexFormat.of().formatHex(sum)).as(released[1]).isEqualTo(released[0]);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "alter table task drop column holder",
        "drop table task_bell",
        "alter table task rename column holder to owner",
        "alter table task alter column attempt type bigint",
        "alter table task alter column attempt set not null",
        "alter table task add column a text not null",
        "create index task_a on task (a)",
        "if pg_relation_size('task') < 100 * 1024 * 1024 then create index error_a on task_error (a)",
        "create index concurrently task_a on task (a)",
        "alter table task add constraint c check (attempt >= 0)",
      })
  void a_statement_that_breaks_the_rule_is_found(String statement) {
    assertThat(findings(statement + ";", false)).hasSize(1);
  }

  @Test
  void a_function_is_renamed_only_when_its_name_is_given_to_a_successor() {
    String renamed = "alter function kairos_schedule(text) rename to kairos_schedule_18;";

    assertThat(findings(renamed, false)).containsExactly("renames");
    assertThat(findings(renamed + "create function kairos_sched(a int)", false)).hasSize(1);
    assertThat(findings("create function other(a int) as $$ $$; " + renamed, false)).hasSize(1);
    assertThat(findings("alter function f(text) rename to g; create function f()", false))
        .hasSize(1);
    assertThat(findings(renamed + "create or replace function kairos_schedule(a int)", false))
        .isEmpty();
    assertThat(findings("alter function f(text) rename to g;", true)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "alter table task add column a text",
        "alter table task add column a text not null default 'x'",
        "create table more (a text not null); create index more_a on more (a)",
        "alter table task add constraint c check (attempt >= 0) not valid",
        "if pg_relation_size('task') < 100 * 1024 * 1024 then create index task_a on task (a)",
      })
  void a_statement_that_only_adds_is_not(String statement) {
    assertThat(findings(statement + ";", false)).isEmpty();
  }

  @Test
  void a_contract_may_take_away_and_holds_no_lock_for_long_either() {
    assertThat(findings("alter table task drop column holder;", true)).isEmpty();
    assertThat(findings("create index task_a on task (a);", true)).hasSize(1);
  }

  private static List<String> findings(String sql, boolean isContract) {
    String text =
        sql.lines()
            .map(line -> line.replaceAll("--.*", ""))
            .reduce("", (a, b) -> a + " " + b)
            .toLowerCase(Locale.ROOT)
            .replaceAll("\\s+", " ");
    String plain = OF_A_SMALL_TABLE.matcher(text).replaceAll("");
    List<String> findings = new ArrayList<>();
    if (!isContract) {
      TAKES_AWAY.forEach((what, pattern) -> {
        if (pattern.matcher(plain).find()) {
          findings.add(what);
        }
      });
      if (RENAMED_FUNCTION
          .matcher(plain)
          .results()
          .anyMatch(renamed -> !createsFunction(plain, renamed.group(1)))) {
        findings.add("renames");
      }
    }
    List<String> created =
        CREATED.matcher(plain).results().map(made -> requireNonNull(made.group(1))).toList();
    LOCKS_FOR_LONG.forEach((what, pattern) -> {
      if (pattern.matcher(plain).results().anyMatch(found -> !created.contains(found.group(1)))) {
        findings.add(what);
      }
    });
    return findings;
  }

  private static boolean createsFunction(String sql, @Nullable String name) {
    return name != null
        && Pattern.compile("create (or replace )?function " + name + "\\(").matcher(sql).find();
  }
}
