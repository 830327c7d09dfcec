package io.kairos.edge.session;

import io.kairos.engine.setting.ConfigRecord;
import io.kairos.engine.setting.Setting;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Settings of the dashboard.
 *
 * @param isOn empty for the default, which depends on the address
 */
public record DashboardConfig(
    @Setting(
            key = "http.ui",
            description =
                "Whether the dashboard is served, at /ui. Without this setting it is while http.host is a loopback address.")
        Optional<Boolean> isOn,
    @Setting(
            key = "http.ui-read-only",
            defaultValue = "false",
            description =
                "Whether the dashboard only reads: whatever its user's roles are, calls that may change something are refused to it.")
        boolean readsOnly,
    @Setting(
            key = SessionKeys.SETTING,
            description =
                "File with the key that seals sessions of the dashboard, 32 random bytes in hexadecimal digits or base64 (`openssl rand -hex 32` makes one). Nodes with the same file accept each other's sessions. Further lines have former keys, which still open sessions. Read again when it changes. Without it each process has a key of its own, and its sessions end with it.")
        Optional<Path> sessionKeyFile,
    @Setting(
            key = "http.session-length",
            defaultValue = "8h",
            min = "5m",
            max = "7d",
            description = "How long a session of the dashboard lasts after the login.")
        Duration sessionLength,
    @Setting(
            key = "http.ui-trace-url",
            format = TraceUrlFormat.class,
            description =
                "Where the dashboard's pages of tasks link to for a trace, such as https://traces.example.com/trace/{trace_id}: the id takes the place of {trace_id}. Without it they show the id alone.")
        Optional<String> traceUrl) {
  /** The defaults. */
  public static final DashboardConfig DEFAULT = ConfigRecord.defaults(DashboardConfig.class);

  /** Throws {@link IllegalArgumentException} that names the property and its rule. */
  public DashboardConfig {
    ConfigRecord.check(
        DashboardConfig.class, isOn, readsOnly, sessionKeyFile, sessionLength, traceUrl);
  }
}
