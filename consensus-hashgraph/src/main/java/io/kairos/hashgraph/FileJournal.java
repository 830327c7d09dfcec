package io.kairos.hashgraph;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
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
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A journal in one file. Each record has its length and a checksum. An end that a loss of power has
 * torn is cut; damage before what was known to be forced is refused, because a replica that forgets
 * what it has sent would make it a second time. So a record after each force marks up to where it
 * reached. Not for two processes at a time.
 */
public final class FileJournal implements EventJournal, AutoCloseable {
  private static final int VERSION = 2;
  private static final byte OWNER = 1;
  private static final byte HEAD = 2;
  private static final byte EVENT = 3;
  private static final byte FORCED = 4;
  private static final int HEAD_BYTES = 2 * Integer.BYTES + 1;

  /** A snapshot is written in parts, because a channel copies what it is given. */
  private static final int PART_BYTES = 1 << 16;

  private static final int SALT_BYTES = 16;
  private static final int MARK_BYTES = Long.BYTES + SALT_BYTES;
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private final Path file;
  private final byte[] owner;
  private final RandomGenerator salts;
  private final byte[] salt = new byte[SALT_BYTES];
  private FileChannel channel;

  /** A record of the file. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Entry(byte kind, byte[] bytes) {}

  private FileJournal(Path file, byte[] owner, Optional<byte[]> head, RandomGenerator salts)
      throws IOException {
    this.file = file;
    this.owner = owner;
    this.salts = salts;
    if (!Files.exists(file)) {
      write(head, List.of());
    }
    this.channel = open();
  }

  /**
   * Opens the journal of a replica, or makes an empty one.
   *
   * @param hasForgotten true for a replica that has perhaps taken part before: an empty journal
   *     says so from then on, also when the start fails after this
   * @param salts where a secret of the file comes from, of which no other replica may know
   * @throws IllegalStateException if the file is of another replica or cluster
   * @throws UncheckedIOException if the file cannot be used
   */
  public static FileJournal open(
      Path file, HashgraphConfig config, boolean hasForgotten, RandomGenerator salts) {
    String owner =
        "kairos hashgraph journal %d of replica %d of %d of %s"
            .formatted(
                VERSION, config.self().number(), config.cluster().size(), config.clusterName());
    Optional<byte[]> head = Optional.of(JournalHead.forgotten().encode()).filter(_ -> hasForgotten);
    try {
      FileJournal journal =
          new FileJournal(file, owner.getBytes(StandardCharsets.UTF_8), head, salts);
      try {
        head.ifPresent(journal::beginIfEmpty);
        return journal;
      } catch (RuntimeException e) {
        journal.close();
        throw e;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void beginIfEmpty(byte[] head) {
    Kept kept = read();
    if (kept.head().isEmpty() && kept.events().isEmpty()) {
      replace(head, List.of());
    }
  }

  private FileChannel open() throws IOException {
    FileChannel opened = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
    opened.position(opened.size());
    return opened;
  }

  @Override
  public Kept read() {
    try {
      Content content = content();
      channel.truncate(content.end());
      channel.position(content.end());
      channel.force(true);
      noteForced();
      return new Kept(content.of(HEAD).findFirst(), content.of(EVENT).toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The records up to the end, or to the first that is damaged. */
  private record Content(List<Entry> entries, long end) {
    Stream<byte[]> of(byte kind) {
      return entries.stream().filter(each -> each.kind() == kind).map(Entry::bytes);
    }
  }

  private Content content() throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment all = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
      List<Entry> entries = new ArrayList<>();
      long end = 0;
      for (Entry next = entry(all, 0); next != null; next = entry(all, end)) {
        end += HEAD_BYTES + next.bytes().length;
        if (next.kind() != FORCED) {
          entries.add(next);
        }
      }
      takeSalt(entries);
      requireUnforced(all, end);
      return new Content(entries, end);
    }
  }

  private void takeSalt(List<Entry> entries) {
    byte[] first = entries.isEmpty() ? new byte[0] : entries.getFirst().bytes();
    if (first.length != owner.length + salt.length
        || entries.getFirst().kind() != OWNER
        || !Arrays.equals(first, 0, owner.length, owner, 0, owner.length)) {
      throw new IllegalStateException(
          "%s is not the journal of this replica: it should begin with \"%s\""
              .formatted(file, new String(owner, StandardCharsets.UTF_8)));
    }
    System.arraycopy(first, owner.length, salt, 0, salt.length);
  }

  /** The record at a place of the file; null when there is none, or it is damaged. */
  private static @Nullable Entry entry(MemorySegment all, long at) {
    if (all.byteSize() - at < HEAD_BYTES) {
      return null;
    }
    int length = all.get(INT, at);
    if (length < 0 || length > all.byteSize() - at - HEAD_BYTES) {
      return null;
    }
    byte kind = all.get(ValueLayout.JAVA_BYTE, at + HEAD_BYTES - 1);
    byte[] bytes = all.asSlice(at + HEAD_BYTES, length).toArray(ValueLayout.JAVA_BYTE);
    return sum(kind, bytes) == all.get(INT, at + Integer.BYTES) ? new Entry(kind, bytes) : null;
  }

  /** Fails when a record behind a damaged one says that the damaged one was forced. */
  private void requireUnforced(MemorySegment all, long end) {
    for (long at = end; at <= all.byteSize() - HEAD_BYTES - MARK_BYTES; at++) {
      Entry found = all.get(INT, at) == MARK_BYTES ? entry(all, at) : null;
      if (found != null && found.kind() == FORCED && Arrays.equals(found.bytes(), mark(at))) {
        throw new IllegalStateException(
            "%s is damaged at byte %d, before what was on the disk for sure: move it away while all other replicas are well, and start this one with replica.hashgraph.forgotten: true"
                .formatted(file, end));
      }
    }
  }

  /**
   * The mark of a force: where it stands, and what nobody else knows, or a request could be one.
   */
  private byte[] mark(long at) {
    return ByteBuffer.allocate(MARK_BYTES).putLong(at).put(salt).array();
  }

  private void noteForced() throws IOException {
    write(channel, FORCED, mark(channel.position()));
  }

  private static int sum(byte kind, byte[] bytes) {
    CRC32C sum = new CRC32C();
    sum.update(kind);
    sum.update(bytes, 0, bytes.length);
    return (int) sum.getValue();
  }

  private static void write(FileChannel to, byte kind, byte[] bytes) throws IOException {
    ByteBuffer part =
        ByteBuffer.allocate(Math.min(PART_BYTES, HEAD_BYTES + bytes.length))
            .putInt(bytes.length)
            .putInt(sum(kind, bytes))
            .put(kind);
    int written = 0;
    do {
      int more = Math.min(part.remaining(), bytes.length - written);
      part.put(bytes, written, more).flip();
      written += more;
      while (part.hasRemaining()) {
        to.write(part);
      }
      part.clear();
    } while (written < bytes.length);
  }

  @Override
  public void append(byte[] event) {
    try {
      write(channel, EVENT, event);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void force() {
    try {
      channel.force(false);
      noteForced();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void replace(byte[] head, List<byte[]> events) {
    try {
      write(Optional.of(head), events);
      channel.close();
      channel = open();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes a whole file beside, and puts it in the place of the old one. */
  private void write(Optional<byte[]> head, List<byte[]> events) throws IOException {
    Path beside = file.resolveSibling(file.getFileName() + ".writing");
    try (FileChannel to =
        FileChannel.open(
            beside,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      salts.nextBytes(salt);
      write(to, OWNER, ByteBuffer.allocate(owner.length + SALT_BYTES).put(owner).put(salt).array());
      if (head.isPresent()) {
        write(to, HEAD, head.get());
      }
      for (byte[] event : events) {
        write(to, EVENT, event);
      }
      write(to, FORCED, mark(to.position()));
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
