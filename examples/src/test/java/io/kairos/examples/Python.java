package io.kairos.examples;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.JarURLConnection;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/** The Python of this machine, and the protos as the worker in Python wants them. */
final class Python {
  private static final Path EXAMPLES = Path.of("python").toAbsolutePath();
  private static final Path TESTS = Path.of("src/test/python").toAbsolutePath();
  private static final String NEEDED =
      "install python3-grpcio, python3-protobuf and protobuf-compiler";

  private final String python;
  private final Path protoset;

  private Python(String python, Path protoset) {
    this.python = python;
    this.protoset = protoset;
  }

  /** Where it is not installed the test is left out, but never on the build machine. */
  static Python find(Path folder) throws IOException, InterruptedException {
    for (String python : List.of("/usr/bin/python3", "python3")) {
      if (works(python, "-c", "import grpc, google.protobuf") && works("protoc", "--version")) {
        Path protoset = folder.resolve("kairos.protoset");
        List<String> make =
            new ArrayList<>(List.of(python, EXAMPLES.resolve("protoset.py").toString()));
        make.add(placeOf("kairos/v1/worker_service.proto"));
        make.add(placeOf("google/api/annotations.proto"));
        make.add(placeOf("google/protobuf/duration.proto"));
        make.add(protoset.toString());
        assertThat(works(make.toArray(String[]::new))).isTrue();
        return new Python(python, protoset);
      }
    }
    assertThat(System.getenv("CI")).as(NEEDED).isNull();
    Assumptions.abort(NEEDED);
    throw new AssertionError(NEEDED);
  }

  private static boolean works(String... command) throws IOException, InterruptedException {
    try {
      return new ProcessBuilder(command).inheritIO().start().waitFor() == 0;
    } catch (IOException e) {
      return false; // it is not there
    }
  }

  /** The jar or the folder on the class path that a resource is in. */
  private static String placeOf(String resource) throws IOException {
    URL url = requireNonNull(Python.class.getResource("/" + resource), resource);
    URLConnection connection = url.openConnection();
    if (connection instanceof JarURLConnection jar) {
      return Path.of(jar.getJarFileURL().getPath()).toString();
    }
    return Path.of(url.getPath().substring(0, url.getPath().length() - resource.length()))
        .toString();
  }

  /** A command line that runs the example. */
  List<String> example(String... words) {
    return command(EXAMPLES.resolve("worker.py"), "--protos", words);
  }

  /** A command line that runs the worker whose effects can be seen. */
  List<String> effects(String... words) {
    return command(TESTS.resolve("effects.py"), "", words);
  }

  private List<String> command(Path program, String before, String... words) {
    List<String> command =
        new ArrayList<>(
            List.of("/usr/bin/env", "PYTHONPATH=" + EXAMPLES, "PYTHONDONTWRITEBYTECODE=1", python));
    command.add(program.toString());
    if (!before.isEmpty()) {
      command.add(before);
    }
    command.add(protoset.toString());
    command.addAll(Arrays.asList(words));
    return command;
  }

  static Process start(List<String> command, Path errors) throws IOException {
    return new ProcessBuilder(command)
        .redirectOutput(errors.resolveSibling(errors.getFileName() + ".out").toFile())
        .redirectError(errors.toFile())
        .start();
  }

  static String read(Path file) throws IOException {
    return Files.readString(file);
  }
}
