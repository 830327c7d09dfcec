package io.kairos.bench.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that say where results go besides standard output. */
public final class OutputOptions {
  @Option(names = "--json", description = "Write the result as JSON to this file.")
  @Nullable Path json;

  @Option(names = "--svg", description = "Draw lateness over time into this file.")
  @Nullable Path svg;

  /** Writes the figures as JSON, each list below its name, if that was asked for. */
  public void writeJson(Map<String, FigureList> figures) {
    if (json != null) {
      Map<String, Object> data = new LinkedHashMap<>();
      figures.forEach((name, list) -> data.put(name, list.data()));
      write(json, text(data));
    }
  }

  /** Writes a plot if that was asked for. */
  public void writePlot(String plot) {
    if (svg != null) {
      write(svg, plot);
    }
  }

  private static String text(Map<String, Object> data) {
    try {
      return new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(data) + "\n";
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
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
