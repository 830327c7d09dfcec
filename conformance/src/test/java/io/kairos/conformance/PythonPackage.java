package io.kairos.conformance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The Python client as its users have it: a wheel, installed without an index into an environment
 * of its own.
 */
record PythonPackage(Path wheel, Path python) {
  private static final Path SOURCE = Path.of("../clients/python");
  private static final String NEEDED = "python3-pip, python3-setuptools and python3-wheel";

  private static final Once<PythonPackage> INSTALLED = new Once<>(PythonPackage::install);

  /** Leaves the test out where it cannot be built. */
  static PythonPackage installed() {
    return INSTALLED.get();
  }

  private static PythonPackage install() throws IOException {
    // Debian's, which has Debian's packages.
    String python = Files.exists(Path.of("/usr/bin/python3")) ? "/usr/bin/python3" : "python3";
    Programs.require(Programs.works(python, "-c", "import setuptools, wheel, pip, venv"), NEEDED);
    Path folder = Programs.emptyFolder("python");
    Path source = Files.createDirectory(folder.resolve("source"));
    Programs.copy(SOURCE, source, List.of("src", "pyproject.toml", "README.md", "LICENSE"));
    run(
        folder,
        python,
        "-m",
        "pip",
        "wheel",
        "--no-build-isolation",
        "--no-deps",
        "--no-index",
        "--wheel-dir",
        "dist",
        "./source");
    Path wheel;
    try (Stream<Path> made = Files.list(folder.resolve("dist"))) {
      wheel = made.findFirst().orElseThrow();
    }
    run(folder, python, "-m", "venv", "--without-pip", "environment");
    Path installed = folder.resolve("environment/bin/python");
    run(
        folder,
        python,
        "-m",
        "pip",
        "--python",
        installed.toString(),
        "install",
        "--no-index",
        wheel.toString());
    return new PythonPackage(wheel, installed);
  }

  private static void run(Path folder, String... command) {
    Programs.run(folder, Map.of("PIP_DISABLE_PIP_VERSION_CHECK", "1"), List.of(command));
  }
}
