package io.kairos.server.browser;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.server.program.InstalledProgram;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Rules of the dashboard's scripts that need no page: Node runs their tests. */
class ScriptRulesTest {
  @Test
  void the_rules_of_the_dashboard_hold_also_where_clocks_change() throws Exception {
    ProcessBuilder tests =
        new ProcessBuilder(InstalledProgram.named("node"), "--test", "src/test/js/rules.test.mjs")
            .directory(Path.of("../ui").toFile())
            .redirectErrorStream(true);
    tests.environment().put("TZ", "Europe/Berlin");
    Process running = tests.start();
    String said = new String(running.getInputStream().readAllBytes(), UTF_8);

    assertThat(running.waitFor()).as(said).isZero();
  }
}
