package io.kairos.conformance;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The TypeScript client as its users have it: a tarball of npm, installed without a registry into
 * an empty project. The compiler comes from a webjar.
 */
record NpmPackage(Path tarball, Path project) {
  private static final Path SOURCE = Path.of("../clients/typescript");
  private static final String RUNS =
      "process.exit(Number(process.versions.node.split('.')[0]) >= 18 ? 0 : 1)";

  private static final Once<NpmPackage> INSTALLED = new Once<>(NpmPackage::install);

  /** Leaves the test out where it cannot be built. */
  static NpmPackage installed() {
    return INSTALLED.get();
  }

  private static NpmPackage install() throws IOException {
    Programs.require(
        Programs.works("node", "-e", RUNS) && Programs.works("npm", "--version"),
        "nodejs of version 18 or newer, and npm");
    Path folder = Programs.emptyFolder("typescript");
    Path source = Files.createDirectory(folder.resolve("source"));
    Programs.copy(
        SOURCE, source, List.of("src", "package.json", "tsconfig.json", "README.md", "LICENSE"));
    Path libraries = source.resolve("node_modules");
    Programs.unpack("typescript", libraries.resolve("typescript"));
    Programs.unpack("types__node", libraries.resolve("@types/node"));
    run(source, "node", "node_modules/typescript/lib/tsc.js", "-p", ".");
    run(source, "npm", "pack", "--ignore-scripts", "--pack-destination", "..");
    Path tarball;
    try (Stream<Path> made = Files.list(folder)) {
      tarball = made.filter(one -> one.toString().endsWith(".tgz")).findFirst().orElseThrow();
    }
    Path project = Files.createDirectory(folder.resolve("project"));
    Files.writeString(project.resolve("package.json"), "{\"private\": true}");
    run(project, "npm", "install", "--offline", "--no-audit", "--no-fund", tarball.toString());
    return new NpmPackage(tarball, project);
  }

  private static void run(Path folder, String... command) {
    Path cache = requireNonNull(folder.getParent()).resolve("npm-cache");
    Programs.run(
        folder,
        Map.of("npm_config_cache", cache.toString(), "npm_config_update_notifier", "false"),
        List.of(command));
  }

  /** Puts a program into the project, so that it finds the package. */
  Path program(Path source) throws IOException {
    Path program = project.resolve(requireNonNull(source.getFileName()));
    if (Files.notExists(program)) {
      Files.copy(source, program);
    }
    return program;
  }
}
