package io.kairos.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Postgres refuses root. Runs only as root on Linux; the user namespace is what all other tests
 * take then.
 */
class RootTest {
  private final Path directory;
  private final Path programs;
  private final Map<String, String> environment;

  RootTest(@TempDir Path directory) throws IOException {
    this.directory = directory;
    this.programs = Files.createDirectory(directory.resolve("bin"));
    this.environment =
        Map.of(
            "PATH",
            programs + ":" + System.getenv("PATH"),
            "XDG_CACHE_HOME",
            directory.resolve("cache").toString());
  }

  @BeforeEach
  void only_as_root() throws IOException {
    assumeTrue(Files.exists(Path.of("/proc/self")));
    assumeTrue(Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0));
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
  }

  @Test
  void runs_as_nobody_where_user_namespaces_are_forbidden() throws Exception {
    forbid("unshare");

    try (ParentProcess parent =
        ParentProcess.start(directory.resolve("data"), 0, -1, environment)) {
      long postgres = parent.awaitPid("postgres");

      assertThat(Files.getAttribute(Path.of("/proc/" + postgres), "unix:uid"))
          .isEqualTo(ProcessIsolation.NOBODY_ID);
    }
  }

  @Test
  void names_the_external_database_where_root_cannot_be_left() throws Exception {
    forbid("unshare");
    forbid("setpriv");

    try (ParentProcess parent =
        ParentProcess.start(directory.resolve("data"), 0, -1, environment)) {
      assertThat(parent.nextLine())
          .startsWith("ROOT_NOT_POSSIBLE ")
          .contains("use an external Postgres");
    }
  }

  private void forbid(String program) throws IOException {
    Path fake = Files.writeString(programs.resolve(program), "#!/bin/sh\nexit 1\n");
    Files.setPosixFilePermissions(fake, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
