package io.kairos.server.wiring.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.server.replica.SigningKeyPem;
import io.kairos.server.wiring.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ReplicaKeysCommandTest {
  @TempDir private Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(Path file) {
    String[] words = {"replica", "keys", file.toString()};
    CommandLine program = Main.commandLine(words);
    program.setOut(new PrintWriter(out));
    program.setErr(new PrintWriter(err));
    return program.execute(words);
  }

  @Test
  void a_pair_is_made_that_only_its_owner_can_use() throws IOException {
    Path file = folder.resolve("own.key");

    assertThat(run(file)).isEqualTo(ExitCode.OK);

    Path shown = folder.resolve("own.key.pub");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(
            SigningKeyPem.arePair(
                SigningKeyPem.readPrivate(file), SigningKeyPem.readPublic(shown.toString())))
        .isTrue();
    assertThat(out.toString())
        .contains(SigningKeyPem.line(SigningKeyPem.readPublic(shown.toString())))
        .contains("replica.hashgraph.public-keys")
        .doesNotContain(Files.readString(file).lines().skip(1).findFirst().orElseThrow());
  }

  @Test
  void keys_that_exist_are_not_touched() throws IOException {
    Path file = folder.resolve("own.key");
    run(file);
    String before = Files.readString(file);

    assertThat(run(file)).isEqualTo(ExitCode.FAILED);
    assertThat(err.toString()).contains("own.key.pub exists");
    Files.delete(folder.resolve("own.key.pub"));
    assertThat(run(file)).isEqualTo(ExitCode.FAILED);
    assertThat(err.toString()).contains("own.key exists");
    assertThat(Files.readString(file)).isEqualTo(before);
  }

  @Test
  void a_missing_folder_is_named() {
    assertThat(run(folder.resolve("no/own.key"))).isEqualTo(ExitCode.FAILED);
    assertThat(err.toString()).contains("folder").contains("no/own.key");
  }
}
