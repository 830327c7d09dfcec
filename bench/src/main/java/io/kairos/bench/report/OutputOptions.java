package io.kairos.bench.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that say where results go besides standard output. */
public final class OutputOptions {
  @Option(names = "--json", description = "Write the result as JSON to this file.")
  @Nullable Path json;

  @Option(names = "--svg", description = "Draw lateness over time into this file.")
  @Nullable Path svg;

  /** Writes what was asked for. */
  public void write(Supplier<Object> result, Supplier<String> plot) {
    if (json != null) {
      write(json, Json.write(result.get()));
    }
    if (svg != null) {
      write(svg, plot.get());
    }
  }

  private static void write(Path file, String text) {
    try {
      Path folder = file.toAbsolutePath().getParent();
      if (folder != null) {
        Files.createDirectories(folder);
      }
      Files.writeString(file, text, UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file, e);
    }
  }
}
