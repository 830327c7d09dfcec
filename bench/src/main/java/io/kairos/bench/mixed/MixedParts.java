package io.kairos.bench.mixed;

import io.kairos.bench.mixed.MixedEvent.Kind;
import io.kairos.bench.observe.JsonLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;

/** The files of a history, one for each part. The last line of a file says that it is complete. */
record MixedParts(Path folder, int count) {

  /** Runs a part and writes its file, which does not exist before. */
  @FunctionalInterface
  interface PartRun {
    void run(int part, Path file) throws IOException, SQLException, InterruptedException;
  }

  /** Runs what is not complete yet; a part that was broken off begins anew. */
  void run(PartRun run) throws IOException, SQLException, InterruptedException {
    Files.createDirectories(folder);
    for (int part = 1; part <= count; part++) {
      if (!isComplete(part)) {
        Files.deleteIfExists(file(part));
        run.run(part, file(part));
      }
    }
  }

  /** Judges what the files say. */
  MixedChecker check() throws IOException {
    MixedChecker checker = new MixedChecker();
    for (int part = 1; part <= count; part++) {
      tail(part).forEachNew(checker::saw);
      checker.endPart();
    }
    return checker;
  }

  boolean isComplete(int part) throws IOException {
    boolean[] complete = {false};
    tail(part).forEachNew(event -> complete[0] |= event.kind() == Kind.COMPLETE);
    return complete[0];
  }

  private Path file(int part) {
    return folder.resolve("part-" + part + ".jsonl");
  }

  private JsonLines.Tail<MixedEvent> tail(int part) {
    return new JsonLines.Tail<>(file(part), MixedEvent.class);
  }
}
