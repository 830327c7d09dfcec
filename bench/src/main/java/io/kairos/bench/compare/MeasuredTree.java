package io.kairos.bench.compare;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.kairos.embedded.ChildProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A tree of sources with its packed bench and node. Each tree is driven by its own bench, so that
 * the wire may differ. Used by the main thread.
 */
public final class MeasuredTree {
  private static final int NOT_CLEAN = 1;
  private static final Map<String, String> ENVIRONMENT =
      Map.of("KAIROS_JAVA_HOME", requireNonNull(System.getProperty("java.home")));

  private final String name;
  private final Path root;
  private final Path folder;

  private MeasuredTree(String name, Path root, Path folder) {
    this.name = name;
    this.root = root;
    this.folder = folder;
  }

  /**
   * Builds the tree as it stands.
   *
   * @param folder takes logs and results
   */
  static MeasuredTree working(Path root, Path folder) throws IOException, InterruptedException {
    return new MeasuredTree("after", root, folder).build("bench", "--help");
  }

  /**
   * The commit that is compared with the working tree.
   *
   * @param chosen null for the one that {@code bench/baseline} names
   */
  public static String earlierCommit(@Nullable String chosen, Path root) throws IOException {
    return chosen == null
        ? Files.readString(root.resolve("bench/baseline"), UTF_8).strip()
        : chosen;
  }

  /** Checks a commit out, and builds its bench with the node. */
  static MeasuredTree ofCommit(String commit, Path root, Path folder)
      throws IOException, InterruptedException {
    return checkedOut(commit, root, folder).build("bench", "--help");
  }

  /**
   * Checks a commit out, and builds its node alone.
   *
   * @param root of the repository
   * @return the folder with its packed node
   */
  public static Path nodeOfCommit(String commit, Path root, Path folder)
      throws IOException, InterruptedException {
    return checkedOut(commit, root, folder).build("version").root;
  }

  /** Checks a commit out into a folder of its own, unless it is there. */
  private static MeasuredTree checkedOut(String commit, Path root, Path folder)
      throws IOException, InterruptedException {
    Path sources = folder.resolve("baseline-" + commit);
    if (!Files.isExecutable(sources.resolve("kairos"))) {
      Files.createDirectories(sources);
      run(
          List.of(
              "sh",
              "-c",
              "git -C \"$1\" archive --output=\"$2.tar\" \"$3\" && tar -xf \"$2.tar\" -C \"$2\"",
              "sh",
              root.toString(),
              sources.toString(),
              commit),
          folder.resolve("checkout.log"),
          0);
    }
    return new MeasuredTree("before", sources, folder);
  }

  /** Calls the launcher, which first builds the program that the arguments need. */
  private MeasuredTree build(String... arguments) throws IOException, InterruptedException {
    run(
        Stream.concat(Stream.of(root.resolve("kairos").toString()), Stream.of(arguments)).toList(),
        folder.resolve(name + "-build.log"),
        0);
    return this;
  }

  /** Runs once and reads what came of it. */
  ComparedRun.Figures measure(ComparedRun run, List<String> arguments)
      throws IOException, InterruptedException {
    Path json = folder.resolve(name + ".json");
    Files.deleteIfExists(json);
    List<String> command = new ArrayList<>();
    command.add(root.resolve("bench/target/kairos-bench/bin/kairos-bench").toString());
    command.addAll(arguments);
    command.addAll(List.of("--json", json.toString()));
    run(command, folder.resolve(name + "-" + arguments.getFirst() + ".log"), NOT_CLEAN);
    return run.read(new ObjectMapper().readTree(json.toFile()));
  }

  private static void run(List<String> command, Path log, int highestExitCode)
      throws IOException, InterruptedException {
    Files.writeString(log, String.join(" ", command) + "\n", UTF_8);
    int exitCode = ChildProcess.start(command, ENVIRONMENT, log).process().waitFor();
    if (exitCode > highestExitCode) {
      throw new IllegalStateException(
          "%s ended with code %d, see %s".formatted(command.getFirst(), exitCode, log));
    }
  }
}
