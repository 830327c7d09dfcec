package io.kairos.bench.rig;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options for the place of a bench's data. */
public final class PlaceOptions {
  @Option(
      names = "--work-dir",
      description =
          "Folder for data and logs, which decides on the disk (default: that for temporary files).")
  @Nullable Path workDir;

  @Option(names = "--keep", description = "Keep data and logs when the run is over.")
  boolean keep;

  public WorkFolder folder() {
    Path parent =
        workDir == null ? Path.of(requireNonNull(System.getProperty("java.io.tmpdir"))) : workDir;
    return WorkFolder.below(parent, keep);
  }
}
