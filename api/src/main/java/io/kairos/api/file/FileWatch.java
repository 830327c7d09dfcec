package io.kairos.api.file;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Looks whether the contents of one or more files have changed. Changed contents are used when two
 * looks in a row have found the same, so that neither a file that is half written is used, nor one
 * of two that belong together. While files are missing or have a mistake, the former contents stay
 * in use, and the reason is reported once for each change. What is no regular file, such as a pipe,
 * is read once and not looked at again. Confined to one thread, which reads the files.
 *
 * @param <T> what is made of the contents
 */
public final class FileWatch<T> {
  /** The time between two looks: a change is in use after twice that. */
  public static final Duration LOOKS_EVERY = Duration.ofSeconds(2);

  private static final int MOST_BYTES = 4 << 20;

  private final FileUser<T> user;

  /** Contents in use; null before any. */
  private @Nullable List<ByteBuffer> used;

  /** Contents at the last look, or the reason why there were none. */
  private @Nullable Object seen;

  /** Contents, or the reason for none, that were reported last; null when all is well. */
  private @Nullable Object reported;

  /** Contents of pipes and the like, which are read when the watch opens. */
  private final Map<Path, ByteBuffer> readOnce = new HashMap<>();

  /**
   * A file.
   *
   * @param setting the key of the setting that names it
   */
  public record NamedFile(String setting, Path path) {}

  /** The user of the files, called by the thread that looks. */
  public interface FileUser<T> {
    /** The files, always the same in the same order. */
    List<NamedFile> files();

    /**
     * Makes use of the contents of all files, whose buffers it leaves as they are.
     *
     * @throws IllegalArgumentException with the mistake and what to do
     */
    T parse(List<ByteBuffer> contents);

    /**
     * Changed files are in use. After another exception than the one of a refusal the next look
     * calls again.
     *
     * @throws IllegalArgumentException to refuse them after all
     */
    void replaced(T by);

    /** Changed files cannot be used, and the former contents stay in use; once for each change. */
    void refused(IllegalArgumentException why);
  }

  /** A watch of the user's files, which reads nothing yet. */
  public FileWatch(FileUser<T> user) {
    this.user = user;
  }

  /**
   * True for a pipe, a terminal and the like: it has nothing more when it has been read, and who
   * opens it again may wait for ever. False for a missing file.
   */
  public static boolean isReadOnce(Path file) {
    return Files.exists(file) && !Files.isRegularFile(file);
  }

  /**
   * Reads one file of at most 4 MiB.
   *
   * @throws IllegalArgumentException that names the setting and the file
   */
  public static ByteBuffer content(NamedFile file) {
    try (InputStream in = Files.newInputStream(file.path())) {
      byte[] bytes = in.readNBytes(MOST_BYTES + 1);
      if (bytes.length > MOST_BYTES) {
        throw new IOException("it has more than 4 MiB");
      }
      return ByteBuffer.wrap(bytes);
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  private static IllegalArgumentException unreadable(NamedFile file, IOException why) {
    return new IllegalArgumentException(
        "%s: the file %s cannot be read (%s): correct the path, or let the user of this process read the file"
            .formatted(file.setting(), file.path(), why),
        why);
  }

  private List<ByteBuffer> contents(boolean opens) {
    return user.files().stream().map(file -> content(file, opens)).toList();
  }

  private ByteBuffer content(NamedFile file, boolean opens) {
    ByteBuffer before = readOnce.get(file.path());
    if (before != null) {
      return before;
    }
    if (!isReadOnce(file.path())) {
      return content(file);
    }
    if (!opens) {
      throw unreadable(file, new IOException("it is no regular file any more"));
    }
    ByteBuffer only = content(file);
    readOnce.put(file.path(), only);
    return only;
  }

  /**
   * Reads the files for the first time, as they are. After a refusal looks go on, and what is found
   * here is not reported again.
   *
   * @throws IllegalArgumentException when a file cannot be read or has a mistake
   */
  public T open() {
    List<ByteBuffer> contents = null;
    try {
      contents = contents(true);
      T first = user.parse(contents);
      seen = contents;
      used = contents;
      return first;
    } catch (IllegalArgumentException e) {
      seen = contents == null ? String.valueOf(e.getMessage()) : contents;
      reported = seen;
      throw e;
    }
  }

  /**
   * Looks once.
   *
   * @return true when changed files are in use
   */
  public boolean look() {
    List<ByteBuffer> contents;
    try {
      contents = contents(false);
    } catch (IllegalArgumentException e) {
      String why = String.valueOf(e.getMessage());
      if (isSeenAgain(why)) {
        refuse(why, e);
      }
      return false;
    }
    if (!isSeenAgain(contents)) {
      return false;
    }
    if (contents.equals(used)) {
      reported = null;
      return false;
    }
    try { // again at each look: a certificate may become valid later
      user.replaced(user.parse(contents));
    } catch (IllegalArgumentException e) {
      refuse(contents, e);
      return false;
    }
    used = contents;
    reported = null;
    return true;
  }

  private boolean isSeenAgain(Object found) {
    boolean again = found.equals(seen);
    seen = found;
    return again;
  }

  private void refuse(Object found, IllegalArgumentException why) {
    if (!found.equals(reported)) {
      reported = found;
      user.refused(why);
    }
  }
}
