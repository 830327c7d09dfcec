package io.kairos.model.replay;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The writes of one entry at one request of the log.
 *
 * @param position of the entry; {@link #NO_ENTRY} for the request itself
 * @param hash of the writes, exception or reply, or of the whole state
 */
record ReplayTracePoint(long sequence, int position, Kind kind, long hash) {
  /** Position of the table's own work, which comes after all entries. */
  static final int NO_ENTRY = Integer.MAX_VALUE;

  static final Comparator<ReplayTracePoint> BY_PLACE =
      Comparator.comparingLong(ReplayTracePoint::sequence)
          .thenComparingInt(ReplayTracePoint::position)
          .thenComparing(ReplayTracePoint::kind);

  enum Kind {
    /** First of its place, because an entry that throws has its writes undone. */
    THREW("threw something else, or nothing,"),
    WROTE("wrote something else"),
    REPLIED("replied something else"),
    STATE("left another state");

    private final String words;

    Kind(String words) {
      this.words = words;
    }
  }

  /** An entry that fires writes into the journal of its component. */
  boolean isFire() {
    return kind == Kind.WROTE && position != NO_ENTRY;
  }

  /** The first place at which two replicas have not done the same. */
  static Optional<ReplayTracePoint> firstDifference(
      List<ReplayTracePoint> one, List<ReplayTracePoint> other) {
    int both = Math.min(one.size(), other.size());
    int first =
        IntStream.range(0, both)
            .filter(i -> !one.get(i).equals(other.get(i)))
            .findFirst()
            .orElse(both);
    return Stream.of(one, other)
        .flatMap(marks -> marks.stream().skip(first).limit(1))
        .min(BY_PLACE);
  }

  void write(DataOutputStream to) throws IOException {
    to.writeLong(sequence);
    to.writeInt(position);
    to.writeUTF(kind.name());
    to.writeLong(hash);
  }

  static List<ReplayTracePoint> readAll(Path file) throws IOException {
    List<ReplayTracePoint> marks = new ArrayList<>();
    try (DataInputStream from =
        new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
      while (from.available() > 0) {
        marks.add(
            new ReplayTracePoint(
                from.readLong(), from.readInt(), Kind.valueOf(from.readUTF()), from.readLong()));
      }
    }
    return marks;
  }

  @Override
  public String toString() {
    return (position == NO_ENTRY
            ? "the request itself "
            : "the entry at position " + position + " ")
        + kind.words;
  }
}
