package io.kairos.cli.context;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.DSYNC;
import static java.nio.file.StandardOpenOption.WRITE;
import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * The file with the contexts of a user, {@code kairos/contexts.yaml} in the folder for
 * configuration. It decides where tokens go, so nobody else may change it; it holds no secret, so
 * others may read it. It is replaced as a whole, and writers of all processes take turns.
 * Thread-safe.
 */
public final class ContextFile {
  private static final FileAttribute<Set<PosixFilePermission>> PRIVATE_FOLDER =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
  private static final FileAttribute<Set<PosixFilePermission>> PRIVATE_FILE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  /** A lock of a file is that of a process: its threads need one of their own. */
  private static final Object ONE_THREAD = new Object();

  private final Path home;
  private final Path folder;
  private final Path file;

  private ContextFile(Path home, Path folder) {
    this.home = home;
    this.folder = folder;
    file = folder.resolve("contexts.yaml");
  }

  /** Returns the file of the user with these environment variables. */
  public static ContextFile of(Map<String, String> environment) {
    Path home =
        Path.of(environment.getOrDefault("HOME", requireNonNull(System.getProperty("user.home"))));
    Path named = Path.of(environment.getOrDefault("XDG_CONFIG_HOME", ""));
    // Relative ones are to be ignored, says the XDG specification.
    Path settings = named.isAbsolute() ? named : home.resolve(".config");
    return new ContextFile(home, settings.resolve("kairos"));
  }

  /** Returns the path with the home of the user for a leading {@code ~}. */
  public Path expanded(Path path) {
    Path tilde = Path.of("~");
    return path.startsWith(tilde) ? home.resolve(tilde.relativize(path)) : path;
  }

  /**
   * Returns the contexts, none when there is no file. Throws IllegalArgumentException, with what to
   * do, when the file is damaged, or others can change it.
   */
  public Contexts read() {
    if (Files.notExists(file)) {
      return Contexts.NONE;
    }
    try {
      FileProtection.requireUnchanged(file);
      FileProtection.requireUnchanged(folder);
      // It may be a link, and whoever can change the folder can replace the file.
      FileProtection.requireUnchanged(requireNonNull(file.toRealPath().getParent()));
      return parse(Files.readString(file));
    } catch (CharacterCodingException e) {
      throw damaged("it is no UTF-8", e);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the contexts", e);
    }
  }

  private Contexts parse(String text) {
    try {
      return ContextYaml.read(text);
    } catch (IllegalArgumentException e) {
      throw damaged(String.valueOf(e.getMessage()), e);
    }
  }

  private IllegalArgumentException damaged(String reason, Exception cause) {
    return new IllegalArgumentException(
        "%s is damaged, %s: correct it, or remove it and add the contexts again"
            .formatted(file, reason),
        cause);
  }

  /**
   * Returns one of the contexts that were read. Throws IllegalArgumentException, with what to do,
   * when there is none of this name.
   *
   * @param because who has named it, for the message
   */
  public Context get(Contexts contexts, String name, String because) {
    Context context = contexts.byName().get(name);
    if (context == null) {
      throw new IllegalArgumentException(
          "there is no context %s, %s, in %s: kairos context list shows those that exist"
              .formatted(name, because, file));
    }
    return context;
  }

  /** Changes the contexts; the change sees those of all writers before. */
  public void change(UnaryOperator<Contexts> change) throws IOException {
    Files.createDirectories(folder, PRIVATE_FOLDER);
    FileProtection.requireUnchanged(folder);
    synchronized (ONE_THREAD) {
      try (FileChannel lock =
              FileChannel.open(
                  folder.resolve("contexts.lock"), Set.of(CREATE, WRITE), PRIVATE_FILE);
          FileLock _ = lock.lock()) {
        replace(ContextYaml.write(change.apply(read())));
      }
    }
  }

  private void replace(String text) throws IOException {
    Path target = Files.exists(file) ? file.toRealPath() : file; // it may be a link
    Path draft =
        Files.createTempFile(requireNonNull(target.getParent()), "contexts", ".tmp", PRIVATE_FILE);
    try {
      Files.writeString(draft, text, WRITE, DSYNC);
      Files.move(draft, target, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(draft);
    }
  }
}
