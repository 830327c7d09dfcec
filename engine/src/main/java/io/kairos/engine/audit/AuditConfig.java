package io.kairos.engine.audit;

import io.kairos.engine.setting.ConfigRecord;
import io.kairos.engine.setting.Setting;
import java.time.Duration;

/** Settings of the audit log. */
public record AuditConfig(
    @Setting(
            key = "audit.retention",
            defaultValue = "90d",
            min = "1m",
            description =
                "How long entries of the audit log are kept in the database: who has changed what, and who was refused.")
        Duration retention) {
  /** All defaults. */
  public static final AuditConfig DEFAULT = ConfigRecord.defaults(AuditConfig.class);

  /** Throws {@link IllegalArgumentException} that names the key and the rule. */
  public AuditConfig {
    ConfigRecord.check(AuditConfig.class, retention);
  }
}
