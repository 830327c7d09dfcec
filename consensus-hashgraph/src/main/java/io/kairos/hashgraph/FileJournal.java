package io.kairos.hashgraph;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * A journal in one file. Each record has its length and a checksum. An end that a loss of power has
 * torn is cut; damage before what was known to be forced is refused, because a replica that forgets
 * what it has sent would make it a second time. So a record after each force says up to where it
 * reached. Not for two processes at a time.
 */
public final class FileJournal implements EventJournal, AutoCloseable {
  private static final int VERSION = 2;
  private static final byte OWNER = 1;
  private static final byte HEAD = 2;
  private static final byte EVENT = 3;
  private static final byte FORCED = 4;
  private static final int HEAD_BYTES = 2 * Integer.BYTES + 1;
  private static final int FORCED_BYTES = HEAD_BYTES + Long.BYTES;

  private final Path file;
  private final byte[] owner;
  private FileChannel channel;

  /** Up to where the file is forced, and whether it says so. */
  private long forced;

  private boolean isForceNoted = true;

  /** A record of the file, and where it ends. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Entry(byte kind, byte[] bytes, long end) {}

  private FileJournal(Path file, byte[] owner) throws IOException {
    this.file = file;
    this.owner = owner;
    if (!Files.exists(file)) {
      write(List.of());
    }
    this.channel = open();
  }

  /**
   * Opens the journal of a replica, or makes an empty one.
   *
   * @throws IllegalStateException if the file is of another replica or cluster
   * @throws UncheckedIOException if the file cannot be used
   */
  public static FileJournal open(Path file, HashgraphConfig config) {
    String owner =
        "kairos hashgraph journal %d of replica %d of %d of %s"
            .formatted(
                VERSION, config.self().number(), config.cluster().size(), config.clusterName());
    try {
      return new FileJournal(file, owner.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private FileChannel open() throws IOException {
    FileChannel opened = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
    opened.position(opened.size());
    forced = opened.size();
    return opened;
  }

  @Override
  public Kept read() {
    try {
      byte[] all = Files.readAllBytes(file);
      List<Entry> entries = entries(all);
      if (entries.isEmpty()
          || entries.getFirst().kind() != OWNER
          || !Arrays.equals(entries.getFirst().bytes(), owner)) {
        throw new IllegalStateException(
            "%s is not the journal of this replica, or has another version: it should begin with \"%s\", and begins with \"%s\""
                .formatted(
                    file,
                    new String(owner, StandardCharsets.UTF_8),
                    entries.isEmpty()
                        ? ""
                        : new String(entries.getFirst().bytes(), StandardCharsets.UTF_8)));
      }
      long end = entries.getLast().end();
      requireUnforced(all, end);
      channel.truncate(end);
      channel.position(end);
      channel.force(true);
      forced = end;
      return new Kept(
          entries.stream().filter(each -> each.kind() == HEAD).map(Entry::bytes).findFirst(),
          entries.stream().filter(each -> each.kind() == EVENT).map(Entry::bytes).toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Entry> entries(byte[] all) {
    List<Entry> entries = new ArrayList<>();
    ByteBuffer from = ByteBuffer.wrap(all);
    Optional<Entry> next = next(from);
    while (next.isPresent()) {
      entries.add(next.get());
      next = next(from);
    }
    return entries;
  }

  private static Optional<Entry> next(ByteBuffer from) {
    if (from.remaining() < HEAD_BYTES) {
      return Optional.empty();
    }
    int length = from.getInt();
    int sum = from.getInt();
    byte kind = from.get();
    if (length < 0 || length > from.remaining()) {
      return Optional.empty();
    }
    byte[] bytes = new byte[length];
    from.get(bytes);
    return sum(kind, bytes) == sum
        ? Optional.of(new Entry(kind, bytes, from.position()))
        : Optional.empty();
  }

  /** Fails when a record behind a damaged one says that the damaged one was forced. */
  private void requireUnforced(byte[] all, long end) {
    ByteBuffer from = ByteBuffer.wrap(all);
    for (int at = (int) end; at <= all.length - FORCED_BYTES; at++) {
      boolean isForced =
          from.getInt(at) == Long.BYTES
              && all[at + HEAD_BYTES - 1] == FORCED
              && from.getLong(at + HEAD_BYTES) > end
              && next(from.position(at)).isPresent();
      if (isForced) {
        throw new IllegalStateException(
            "%s is damaged at byte %d, before what was on the disk for sure: move it away while all other replicas are well, and start this replica with replica.hashgraph.forgotten: true"
                .formatted(file, end));
      }
    }
  }

  private static int sum(byte kind, byte[] bytes) {
    CRC32C sum = new CRC32C();
    sum.update(kind);
    sum.update(bytes, 0, bytes.length);
    return (int) sum.getValue();
  }

  private static ByteBuffer encode(byte kind, byte[] bytes) {
    return ByteBuffer.allocate(HEAD_BYTES + bytes.length)
        .putInt(bytes.length)
        .putInt(sum(kind, bytes))
        .put(kind)
        .put(bytes)
        .flip();
  }

  private static void write(FileChannel to, byte kind, byte[] bytes) throws IOException {
    ByteBuffer record = encode(kind, bytes);
    while (record.hasRemaining()) {
      to.write(record);
    }
  }

  @Override
  public void append(byte[] event) {
    try {
      if (!isForceNoted) {
        write(channel, FORCED, ByteBuffer.allocate(Long.BYTES).putLong(forced).array());
        isForceNoted = true;
      }
      write(channel, EVENT, event);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void force() {
    try {
      channel.force(false);
      forced = channel.position();
      isForceNoted = false;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void replace(byte[] head, List<byte[]> events) {
    List<ByteBuffer> records = new ArrayList<>();
    records.add(encode(HEAD, head));
    events.forEach(event -> records.add(encode(EVENT, event)));
    try {
      write(records);
      channel.close();
      channel = open();
      isForceNoted = false;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes a whole file beside, and puts it in the place of the old one. */
  private void write(List<ByteBuffer> records) throws IOException {
    Path beside = file.resolveSibling(file.getFileName() + ".writing");
    try (FileChannel to =
        FileChannel.open(
            beside,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      write(to, OWNER, owner);
      for (ByteBuffer each : records) {
        while (each.hasRemaining()) {
          to.write(each);
        }
      }
      to.force(true);
    }
    Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE);
    try (FileChannel directory =
        FileChannel.open(requireNonNull(file.toAbsolutePath().getParent()))) {
      directory.force(true);
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
