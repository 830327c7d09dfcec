package io.kairos.model.replay;

import static java.util.Objects.requireNonNull;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The JVMs that execute a log. Their settings differ in everything that must not matter to a
 * module.
 */
enum ReplayJvm {
  STAYED(
      "the replica that executed all of it",
      "-Duser.language=en",
      "-Duser.country=US",
      "-Duser.timezone=America/New_York",
      "-Xmx256m",
      "-XX:+UseSerialGC",
      "-XX:ActiveProcessorCount=1",
      "-XX:TieredStopAtLevel=1"),
  FELL_BEHIND(
      "the one that fell behind and was given a snapshot",
      "-Duser.language=tr",
      "-Duser.country=TR",
      "-Duser.timezone=Asia/Kathmandu",
      "-Dfile.encoding=ISO-8859-1",
      "-Dline.separator=\r\n",
      "-Xmx512m",
      "-XX:+UseParallelGC",
      "-XX:ActiveProcessorCount=4",
      "-XX:hashCode=0",
      "-Xint",
      "-ea"),
  CAME_BACK(
      "the one that began with a snapshot",
      "-Duser.language=ar",
      "-Duser.country=EG",
      "-Duser.timezone=Pacific/Apia",
      "-Xmx384m",
      "-XX:+UseG1GC",
      "-XX:ActiveProcessorCount=2",
      "-XX:hashCode=3",
      "-XX:TieredStopAtLevel=1");

  private final String words;

  @SuppressWarnings("ImmutableEnumChecker") // made by List.of
  private final List<String> flags;

  ReplayJvm(String words, String... flags) {
    this.words = words;
    this.flags = List.of(flags);
  }

  /** The command of the JVM, with the class path of this one. */
  ProcessBuilder builder(List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(property("java.home"), "bin", "java").toString());
    // Identity hashes are an experimental flag of HotSpot; other JVMs have their own.
    command.addAll(List.of("-XX:+UnlockExperimentalVMOptions", "-XX:+IgnoreUnrecognizedVMOptions"));
    command.addAll(flags);
    command.addAll(List.of("-cp", classPath(), ReplayMain.class.getName()));
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("HOSTNAME", name());
    return builder;
  }

  /** Class path in absolute paths, because the JVM has another working directory. */
  private static String classPath() {
    return Pattern.compile(Pattern.quote(File.pathSeparator))
        .splitAsStream(property("java.class.path"))
        .map(place -> Path.of(place).toAbsolutePath().toString())
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static String property(String name) {
    return requireNonNull(System.getProperty(name), name);
  }

  @Override
  public String toString() {
    String told = String.join(" ", flags).replace("\r\n", "\\r\\n");
    return words + " (" + told + ")";
  }
}
