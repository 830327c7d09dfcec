package io.kairos.bench.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options for results besides those on standard output. */
public final class ReportOptions {
  @Option(names = "--json", description = "Write the result as JSON to this file.")
  @Nullable Path json;

  /** Writes the figures as JSON, each list below its name, if that was asked for. */
  public void writeJson(Map<String, FigureList> figures) {
    if (json == null) {
      return;
    }
    Map<String, Object> data = new LinkedHashMap<>();
    figures.forEach((name, list) -> data.put(name, list.data()));
    try {
      Path folder = json.toAbsolutePath().getParent();
      if (folder != null) {
        Files.createDirectories(folder);
      }
      new ObjectMapper().writerWithDefaultPrettyPrinter().writeValue(json.toFile(), data);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + json, e);
    }
  }
}
