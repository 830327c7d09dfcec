package io.kairos.deploy;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.kairos.embedded.EmbeddedPostgres;
import io.kairos.embedded.LoopbackPort;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The image, built from nothing, and run as a container is. */
@Timeout(600)
class ImageIT {
  private static final Path TARGET = Path.of("target").toAbsolutePath();
  private static final Path ROOT = TARGET.resolve("rootfs");
  private static final OciLayout IMAGE = new OciLayout(TARGET.resolve("oci"));

  /** 128 and the number of the signal. */
  private static final int TERMINATED = 143;

  @BeforeAll
  static void an_image() throws Exception {
    Command.run(
        "sh",
        "src/main/build/image.sh",
        Version.current(),
        requireNonNull(System.getProperty("kairos.moment")));
    Command.run("rm", "-rf", ROOT.toString());
    IMAGE.unpack(ROOT);
  }

  @Test
  void it_says_how_it_is_run() throws Exception {
    JsonNode config = IMAGE.config();

    assertThat(config.path("User").asText()).isEqualTo("10001:10001");
    assertThat(words(config.path("Cmd"))).containsExactly("server");
    assertThat(words(config.path("Entrypoint")).getFirst()).endsWith("/bin/java");
    assertThat(config.path("ExposedPorts").has("7070/tcp")).isTrue();
    assertThat(config.path("Labels").path("org.opencontainers.image.version").asText())
        .isEqualTo(Version.current());
  }

  @Test
  void it_has_no_shell_and_nothing_that_the_user_may_change() throws Exception {
    try (Stream<Path> files = Files.walk(ROOT)) {
      assertThat(
              files
                  .filter(Files::isRegularFile)
                  .map(file -> String.valueOf(file.getFileName()))
                  .filter(name -> name.matches("sh|bash|dash|busybox|apt|dpkg|perl")))
          .isEmpty();
    }
    assertThat(Command.run("find", ROOT + "/opt", "-perm", "/022", "!", "-type", "l")).isEmpty();
    assertThat(ROOT.resolve("opt/kairos/cache/kairos-server.jsa")).isNotEmptyFile();
    Figures.note(
        "root of the image: %s",
        Command.run("du", "-sm", ROOT.toString()).replaceFirst("\\s.*", " MB"));
    long bytes = 0;
    for (Path layer : IMAGE.layers()) {
      bytes += Files.size(layer);
    }
    Figures.note("layers of the image: %d MB", bytes >> 20);
  }

  @Test
  void the_classes_of_a_node_are_taken_from_its_archive() throws Exception {
    assertThat(
            Command.run(
                container(
                        List.of(),
                        List.of(
                            "/opt/kairos/runtime/bin/java",
                            "-Xlog:class+load",
                            "@/opt/kairos/kairos.options",
                            "--version"))
                    .toArray(String[]::new)))
        .contains("shared objects file (top)");
  }

  @Test
  void it_runs_with_a_root_that_cannot_be_written_tells_its_health_and_ends_on_sigterm()
      throws Exception {
    String port = Integer.toString(LoopbackPort.choose());
    EmbeddedPostgres postgres = EmbeddedPostgres.shared();
    List<String> settings =
        List.of(
            "KAIROS_HTTP_PORT=" + port,
            "KAIROS_POSTGRES_URL=" + postgres.newDatabase(),
            "KAIROS_POSTGRES_USER=" + postgres.user(),
            "KAIROS_POSTGRES_PASSWORD=" + postgres.password());
    List<String> arguments = new ArrayList<>(words(IMAGE.config().path("Entrypoint")));
    arguments.addAll(words(IMAGE.config().path("Cmd")));

    try (Command node = Command.start(container(settings, arguments))) {
      node.awaitLine(line -> line.contains("is ready after"));

      assertThat(run(settings, "health", "--ready")).contains("/readyz answers 200");
      assertThat(run(settings, "cli", "--address=127.0.0.1:" + port, "task", "add", "greet"))
          .isNotEmpty();
      node.terminateChild();
      assertThat(node.awaitEnd()).as(node.printed()).isEqualTo(TERMINATED);
    }
  }

  private static String run(List<String> settings, String options, String... words)
      throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of("/opt/kairos/runtime/bin/java", "@/opt/kairos/" + options + ".options"));
    command.addAll(List.of(words));
    return Command.run(container(settings, command).toArray(String[]::new));
  }

  /**
   * A process as in a container, but with the network of this machine, where the database is, and
   * without cgroups, which build machines lack: container runtimes do not work there.
   */
  private static List<String> container(List<String> settings, List<String> command)
      throws Exception {
    String root = ROOT.toString();
    List<String> all =
        new ArrayList<>(
            List.of(
                "unshare",
                "--mount",
                "--pid",
                "--fork",
                "--kill-child",
                "sh",
                "-euc",
                """
                mount --bind "$0" "$0"
                mount -t proc proc "$0/proc"
                mount --bind /dev "$0/dev"
                mount -t tmpfs tmpfs "$0/tmp"
                mount -o remount,bind,ro "$0"
                exec "$@"
                """,
                root,
                "env",
                "-i"));
    all.addAll(words(IMAGE.config().path("Env")));
    all.addAll(settings);
    all.addAll(
        List.of("/usr/sbin/chroot", "--userspec=" + IMAGE.config().path("User").asText(), root));
    all.addAll(command);
    return all;
  }

  private static List<String> words(JsonNode list) {
    return StreamSupport.stream(list.spliterator(), false).map(JsonNode::asText).toList();
  }
}
