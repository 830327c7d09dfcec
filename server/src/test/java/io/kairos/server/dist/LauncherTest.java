package io.kairos.server.dist;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.cli.CliMain;
import io.kairos.server.wiring.command.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The shell scripts that come before any Java: which one they find, and that two builds do not
 * meet. A Java 99 is looked for, which no machine has, among homes made up for the test.
 */
class LauncherTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Path JAVA_SH = ROOT.resolve("server/src/main/dist/java.sh");

  @TempDir private Path folder;
  private Path home;
  private Path path;

  private record Ended(int code, String said) {}

  @BeforeEach
  void no_java_anywhere() throws IOException {
    home = Files.createDirectories(folder.resolve("home"));
    path = Files.createDirectories(folder.resolve("path"));
  }

  @Test
  void an_old_java_on_the_path_is_passed_over() throws Exception {
    onPath(java("path-17", "17.0.9"));
    Path wanted = java("home/.jdks/temurin", "99.0.1");

    assertThat(find(Map.of())).isEqualTo(new Ended(0, wanted + "\n"));
  }

  @Test
  void the_java_on_the_path_is_taken_through_its_links_when_it_is_the_right_one() throws Exception {
    Path wanted = java("path-99", "99");
    onPath(wanted);
    java("home/.jdks/other", "99");

    assertThat(find(Map.of())).isEqualTo(new Ended(0, wanted.toRealPath() + "\n"));
  }

  @Test
  void a_newer_one_is_taken_only_when_there_is_none_of_the_right_one() throws Exception {
    Path newer = java("newer", "100");
    Map<String, String> javaHome = Map.of("JAVA_HOME", newer.toString());
    assertThat(find(javaHome)).isEqualTo(new Ended(0, newer + "\n"));

    Path wanted = java("home/.jdks/temurin", "99");
    assertThat(find(javaHome)).isEqualTo(new Ended(0, wanted + "\n"));
  }

  @Test
  void what_has_no_compiler_does_not_build() throws Exception {
    Path runtime = java("home/.jdks/runtime", "99");
    Files.delete(runtime.resolve("bin/javac"));

    assertThat(find(Map.of()).code()).isEqualTo(1);
  }

  @Test
  void without_any_one_sentence_says_what_to_install() throws Exception {
    onPath(java("path-17", "17.0.9"));

    Ended refused = find(Map.of());

    assertThat(refused.code()).isEqualTo(1);
    assertThat(refused.said())
        .startsWith("kairos: no JDK 99 found; install one")
        .contains("KAIROS_JAVA_HOME")
        .hasLineCount(1);
  }

  @Test
  void a_wrong_kairos_java_home_is_refused_although_another_would_do() throws Exception {
    java("home/.jdks/temurin", "99");
    Path wrong = java("wrong", "17.0.9");

    Ended refused = find(Map.of("KAIROS_JAVA_HOME", wrong.toString()));

    assertThat(refused.code()).isEqualTo(1);
    assertThat(refused.said())
        .startsWith("kairos: KAIROS_JAVA_HOME is " + wrong + ", which is not a JDK 99")
        .hasLineCount(1);
  }

  /** All of them find the lock of a dead process. The build of this one only says that it runs. */
  @Test
  void builds_take_turns_also_after_one_that_died() throws Exception {
    Path copy = copy();
    script(
        copy.resolve("mvnw"),
        "mkdir running || { echo two at once; exit 1; };"
            + " i=0; while [ $i -lt 2000 ]; do i=$((i+1)); done; rmdir running; echo built");
    Path lock = Files.createDirectories(copy.resolve("target/build.lock"));
    Files.writeString(lock.resolve("pid"), deadProcess() + "\n");

    List<Process> launchers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      launchers.add(
          start(
              Map.of("KAIROS_JAVA_HOME", requireNonNull(System.getProperty("java.home"))),
              "sh",
              copy.resolve("kairos").toString(),
              "test"));
    }

    for (Process launcher : launchers) {
      Ended built = end(launcher);
      assertThat(built.said()).contains("built").doesNotContain("two at once");
      assertThat(built.code()).isZero();
    }
    assertThat(lock).doesNotExist();
  }

  @Test
  void the_tests_that_were_left_out_are_said_with_the_reason() throws Exception {
    Path copy = copy();
    Path reports = Files.createDirectories(copy.resolve("server/target/surefire-reports"));
    Path earlier = reports.resolve("TEST-a.EarlierTest.xml");
    Files.writeString(earlier, "<skipped message=\"of an earlier run\"/>");
    Files.setLastModifiedTime(earlier, FileTime.from(Instant.EPOCH));
    script(
        copy.resolve("mvnw"),
        "cd server/target/surefire-reports;"
            + " echo '<testcase/>' >TEST-a.WholeTest.xml;"
            + " for i in 1 2; do echo '<skipped message=\"chromium is missing\" type=\"T\">'; done"
            + " >TEST-a.PagesTest.xml;"
            // Clocks of files are coarse.
            + " until [ TEST-a.PagesTest.xml -nt ../../../target/test.began ];"
            + " do touch TEST-a.PagesTest.xml; done; exit 3");

    Ended ended =
        end(
            start(
                Map.of("KAIROS_JAVA_HOME", requireNonNull(System.getProperty("java.home"))),
                "sh",
                copy.resolve("kairos").toString(),
                "test"));

    assertThat(ended)
        .isEqualTo(new Ended(3, "kairos: left out: a.PagesTest: chromium is missing\n"));
  }

  @ParameterizedTest
  @CsvSource({
    "'', kairos.url is a placeholder",
    "-Dkairos.url=https://example.com, kairos.maintainer is a placeholder",
    "-Dkairos.url=https://example.com -Dkairos.maintainer=we@kairos.invalid, kairos.maintainer is",
    "-Dkairos.url=https://example.com -Dkairos.maintainer=us, '-Pportal,signed'",
    "--dry-run, -DaltDeploymentRepository=dry-run::file:///"
  })
  void placeholders_are_not_published(String words, String says) throws Exception {
    Path copy = copy();
    Files.writeString(
        copy.resolve("pom.xml"),
        """
          <kairos.url>https://kairos.invalid</kairos.url>
          <kairos.maintainer>The authors &lt;a@kairos.invalid&gt;</kairos.maintainer>
        """);
    script(copy.resolve("mvnw"), "echo \"$@\"");
    Map<String, String> java =
        Map.of("KAIROS_JAVA_HOME", requireNonNull(System.getProperty("java.home")));

    Ended ended =
        end(start(java, "sh", "-c", "sh " + copy.resolve("kairos") + " publish " + words));

    assertThat(ended.said()).contains(says).hasLineCount(1);
    assertThat(ended.code()).isEqualTo(says.startsWith("-") ? 0 : 2);
  }

  @ParameterizedTest
  @CsvSource({
    "task list, kairos-cli, SerialGC",
    "--address a:1 task list, kairos-cli, SerialGC",
    "-o json worker exec, kairos-cli, G1GC",
    "--address=a:1 --context prod worker exec, kairos-cli, G1GC",
    "task list --to worker x, kairos-cli, SerialGC",
    "--context worker task list, kairos-cli, SerialGC",
    "context list, kairos-cli, SerialGC",
    "server --help, kairos-server, G1GC",
    "--version, kairos-server, G1GC",
    "version, kairos-cli, SerialGC",
    "completion bash, kairos-server, G1GC"
  })
  void a_command_goes_to_its_application(String words, String application, String flag)
      throws Exception {
    Path copy = builtCopy();
    Files.writeString(copy.resolve("server/target/kairos/kairos-cli.jsa"), "");
    Files.writeString(copy.resolve("server/target/kairos/kairos-server.jsa"), "");
    Path java = java("fake", "99");
    script(java.resolve("bin/java"), "echo \"$@\"");

    List<String> command = new ArrayList<>(List.of("sh", copy.resolve("kairos").toString()));
    command.addAll(List.of(words.split(" ")));
    Ended started =
        end(start(Map.of("KAIROS_JAVA_HOME", java.toString()), command.toArray(String[]::new)));

    assertThat(started.said())
        .contains("/lib/" + application + ".jar " + words)
        .contains(flag)
        .hasLineCount(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"replica demo --byzantine", "replica demo --seconds 1 --byzantine --only FORKS"})
  void the_demo_with_a_liar_goes_to_the_bench_which_alone_has_one(String words) throws Exception {
    Path copy = builtCopy();
    Files.writeString(copy.resolve("server/target/kairos/kairos-cli.jsa"), "");
    Files.writeString(copy.resolve("server/target/kairos/kairos-server.jsa"), "");
    Files.createDirectories(copy.resolve("server/target/kairos/addons/hashgraph"));
    Path bench = copy.resolve("bench/target/kairos-bench/lib/kairos-bench.jar");
    Files.createDirectories(requireNonNull(bench.getParent()));
    Files.writeString(bench, "");
    Files.writeString(copy.resolve("target/bench.built"), "");
    Files.writeString(copy.resolve("target/hashgraph.built"), "");
    Path java = java("fake", "99");
    script(java.resolve("bin/java"), "echo \"$@\"");

    List<String> command = new ArrayList<>(List.of("sh", copy.resolve("kairos").toString()));
    command.addAll(List.of(words.split(" ")));
    Ended started =
        end(start(Map.of("KAIROS_JAVA_HOME", java.toString()), command.toArray(String[]::new)));

    assertThat(started.said())
        .contains("/lib/kairos-bench.jar byzantine-demo " + words.replace("replica demo ", ""))
        .hasLineCount(1);
  }

  @Test
  void the_first_start_after_a_build_writes_the_archives_and_no_later_one_does() throws Exception {
    Path copy = builtCopy();
    Path java = java("fake", "99");
    script(
        java.resolve("bin/java"),
        "for word; do case $word in -XX:ArchiveClassesAtExit=*) echo whole >\"${word#*=}\" ;; esac;"
            + " done");
    Map<String, String> home = Map.of("KAIROS_JAVA_HOME", java.toString());
    String kairos = copy.resolve("kairos").toString();

    assertThat(end(start(home, "sh", kairos, "task", "list")).said())
        .startsWith("kairos: writing archives of classes")
        .hasLineCount(1);

    assertThat(copy.resolve("server/target/kairos/kairos-cli.jsa")).hasContent("whole");
    assertThat(copy.resolve("server/target/kairos/kairos-server.jsa")).hasContent("whole");
    assertThat(copy.resolve("target/build.lock")).doesNotExist();
    assertThat(end(start(home, "sh", kairos, "server"))).isEqualTo(new Ended(0, ""));
  }

  /** A checkout with the launcher alone. */
  private Path copy() throws IOException {
    Path copy = Files.createDirectories(folder.resolve("copy"));
    Files.createDirectories(copy.resolve("server/src/main/dist"));
    Files.copy(JAVA_SH, copy.resolve("server/src/main/dist/java.sh"));
    Files.copy(ROOT.resolve("kairos"), copy.resolve("kairos"));
    return copy;
  }

  /** A checkout whose sources have not changed since they were built. */
  private Path builtCopy() throws IOException {
    Path copy = copy();
    for (String jar :
        List.of("server/target/kairos/lib/kairos-server", "server/target/kairos/lib/kairos-cli")) {
      Path built = copy.resolve(jar + ".jar");
      Files.createDirectories(requireNonNull(built.getParent()));
      Files.writeString(built, "");
    }
    Files.createDirectories(copy.resolve("target"));
    Files.writeString(copy.resolve("target/server.built"), "");
    return copy;
  }

  @ParameterizedTest
  @CsvSource({
    "-XX:+UseZGC, false",
    "-Xmx4g -XX:+UseParallelGC -Da=b, false",
    "-XX:+UseNUMA -Dcollector=GC, true",
    "-XX:+UseMaximumCompactionOnSystemGC, true"
  })
  void only_a_collector_takes_the_place_of_ours(String options, boolean ours) throws Exception {
    Path java = java("fake", "99");
    script(java.resolve("bin/java"), "echo \"$@\"");

    Ended started =
        end(
            start(
                Map.of("JAVA_HOME", java.toString(), "KAIROS_JAVA_OPTS", options),
                "sh",
                "-euc",
                ". \"$1\"; kairos_exec /nowhere kairos-server server",
                "sh",
                JAVA_SH.toString()));

    assertThat(started.said().contains("-XX:+UseG1GC")).as(started.said()).isEqualTo(ours);
    assertThat(started.said()).contains(options + " -jar");
  }

  @ParameterizedTest
  @CsvSource({
    "-Da=b, true",
    "-XX:SharedArchiveFile=/of/theirs.jsa, false",
    "-XX:ArchiveClassesAtExit=/tmp/fuller.jsa, false",
    "-XX:AOTCacheOutput=/tmp/fuller.aot, false"
  })
  void an_archive_is_given_to_the_jvm_unless_another_is_chosen(String options, boolean ours)
      throws Exception {
    Path java = java("fake", "99");
    script(java.resolve("bin/java"), "echo \"$@\"");
    Path archive = Files.createFile(folder.resolve("kairos-server.jsa"));

    Ended started =
        end(
            start(
                Map.of("JAVA_HOME", java.toString(), "KAIROS_JAVA_OPTS", options),
                "sh",
                "-euc",
                ". \"$1\"; kairos_exec \"$2\" kairos-server server",
                "sh",
                JAVA_SH.toString(),
                folder.toString()));

    assertThat(started.said().contains("-XX:SharedArchiveFile=" + archive))
        .as(started.said())
        .isEqualTo(ours);
  }

  @Test
  void a_training_that_fails_leaves_no_archive_and_its_words_in_a_log() throws Exception {
    Ended failed = train("echo \"$@\"; echo half >\"$(archive \"$@\")\"; echo lost >&2; exit 1");

    assertThat(failed.code()).isZero();
    assertThat(failed.said())
        .contains("could not be written", "kairos-cli.log", "kairos-server.log")
        .hasLineCount(2);
    assertThat(folder.resolve("app/kairos-cli.log")).content().contains("ClassTraining", "lost");
    assertThat(folder.resolve("app/kairos-server.log")).content().contains("ServerTraining");
    try (Stream<Path> left = Files.list(folder.resolve("app"))) {
      assertThat(left).hasSize(2);
    }
  }

  @Test
  void a_training_that_succeeds_leaves_the_archive_alone() throws Exception {
    Ended trained = train("echo whole >\"$(archive \"$@\")\"; echo noise");

    assertThat(trained).isEqualTo(new Ended(0, ""));
    for (String application : List.of("kairos-cli", "kairos-server")) {
      assertThat(folder.resolve("app/" + application + ".jsa")).hasContent("whole");
      assertThat(folder.resolve("app/" + application + ".log")).doesNotExist();
    }
  }

  @Test
  void the_archives_of_an_installed_package_are_in_its_folder_cache() throws Exception {
    Files.createDirectories(folder.resolve("app/cache"));

    train("echo whole >\"$(archive \"$@\")\"");

    assertThat(folder.resolve("app/cache/kairos-cli.jsa")).exists();
    assertThat(folder.resolve("app/cache/kairos-server.jsa")).exists();
  }

  /** With a Java that runs these words; {@code archive} prints the file that it is to write. */
  private Ended train(String words) throws Exception {
    Files.createDirectories(folder.resolve("app"));
    Path java = java("fake", "99");
    script(
        java.resolve("bin/java"),
        "archive() { for word; do case $word in -XX:ArchiveClassesAtExit=*) echo \"${word#*=}\";;"
            + " esac; done; }; "
            + words);
    return end(
        start(
            Map.of("JAVA_HOME", java.toString()),
            "sh",
            "-euc",
            ". \"$1\"; kairos_train \"$2\"",
            "sh",
            JAVA_SH.toString(),
            folder.resolve("app").toString()));
  }

  /** Those that print something for each command need all of them. */
  @Test
  void tools_start_from_their_short_class_path_and_all_else_from_that_of_the_program()
      throws Exception {
    Set<String> tools = CliMain.commandLine().getSubcommands().keySet();
    List<String> command =
        new ArrayList<>(
            List.of(
                "sh",
                "-euc",
                ". \"$0\"; for word; do echo \"$word $(kairos_jar \"$word\")\"; done",
                JAVA_SH.toString()));
    List<String> expected = new ArrayList<>();
    for (String name : Main.commandLine().getSubcommands().keySet()) {
      command.add(name);
      boolean isTool = tools.contains(name) && !Set.of("completion", "man").contains(name);
      expected.add(name + (isTool ? " kairos-cli" : " kairos-server"));
    }

    Ended named = end(start(Map.of(), command.toArray(String[]::new)));

    assertThat(named.said().lines()).containsExactlyElementsOf(expected);
  }

  @Test
  void the_launcher_names_every_command() throws Exception {
    Ended help = end(start(Map.of(), "sh", ROOT.resolve("kairos").toString(), "--help"));

    assertThat(help.said().split("[^a-z]+"))
        .containsAll(Main.commandLine().getSubcommands().keySet());
  }

  private static long deadProcess() throws Exception {
    Process process = new ProcessBuilder("true").start();
    process.waitFor();
    return process.pid();
  }

  /** A home as far as the scripts look into it. */
  private Path java(String name, String version) throws IOException {
    Path java = folder.resolve(name);
    Files.createDirectories(java.resolve("bin"));
    script(java.resolve("bin/java"), "exit 1");
    script(java.resolve("bin/javac"), "exit 1");
    Files.writeString(java.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
    return java;
  }

  private void onPath(Path java) throws IOException {
    Files.createSymbolicLink(path.resolve("java"), java.resolve("bin/java"));
  }

  private static void script(Path file, String text) throws IOException {
    Files.writeString(file, "#!/bin/sh\n" + text + "\n");
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  private Ended find(Map<String, String> variables) throws Exception {
    return end(
        start(
            variables,
            "sh",
            "-euc",
            "PATH=\"$1:/usr/bin:/bin\"; . \"$2\"; kairos_java=99; kairos_find_java jdk",
            "sh",
            path.toString(),
            JAVA_SH.toString()));
  }

  private Process start(Map<String, String> variables, String... command) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().keySet().removeAll(List.of("JAVA_HOME", "KAIROS_JAVA_HOME"));
    builder.environment().put("HOME", home.toString());
    builder.environment().putAll(variables);
    return builder.start();
  }

  private static Ended end(Process process) throws Exception {
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    return new Ended(process.waitFor(), said);
  }
}
