package io.kairos.postgres;

import static io.kairos.domain.check.ArgumentCheck.require;

import io.kairos.engine.setting.ConfigRecord;
import io.kairos.engine.setting.Setting;

/**
 * Where the tables are, and who changes them.
 *
 * @param name empty for the first schema of the user's search path
 */
public record SchemaConfig(
    @Setting(
            key = "postgres.schema",
            description =
                "Schema of Kairos' tables, of lower-case letters, digits and underscores; made when it is missing. By default the first of the user's search path, which is public. All nodes on a database name the same.")
        String name,
    @Setting(
            key = "postgres.migrate",
            defaultValue = "on",
            description =
                "Whether a node brings the schema up to date when it starts. With off it refuses to start on an older one, which \"kairos schema migrate\" brings up to date, as another user if you like.")
        Migrate migrate) {
  /** In the session's language no quotes are needed for it. */
  private static final String NAME = "[a-z_][a-z0-9_]{0,62}";

  /** Whether nodes change the schema. */
  public enum Migrate {
    ON,
    OFF
  }

  public SchemaConfig {
    ConfigRecord.check(SchemaConfig.class, name, migrate);
    require(
        name.isEmpty() || isName(name),
        "postgres.schema must be lower-case letters, digits and underscores, at most 63, must not"
            + " begin with a digit, and not with pg_, which Postgres keeps for itself");
  }

  /** True for the name of a schema that Kairos may have. */
  public static boolean isName(String name) {
    return name.matches(NAME) && !name.startsWith("pg_");
  }

  /** The user's own schema, migrated by nodes. */
  public static SchemaConfig defaults() {
    return ConfigRecord.defaults(SchemaConfig.class);
  }

  boolean isMigratedByNodes() {
    return migrate == Migrate.ON;
  }
}
