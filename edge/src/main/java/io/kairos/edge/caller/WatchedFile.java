package io.kairos.edge.caller;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kairos.api.file.FileWatch;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file with credentials that is read again and again. What was read last and accepted stays in
 * use for as long as the file is missing or has a mistake. Confined to one thread.
 */
public final class WatchedFile implements FileWatch.FileUser<String> {
  private static final Logger LOG = LoggerFactory.getLogger(WatchedFile.class);

  private final String setting;
  private final Path path;
  private final Consumer<String> accept;
  private final FileWatch<String> watch = new FileWatch<>(this);

  /**
   * A file.
   *
   * @param setting the key that names the file
   * @param accept takes the text; throws {@link IllegalArgumentException} with what is wrong
   */
  public WatchedFile(String setting, Path path, Consumer<String> accept) {
    this.setting = setting;
    this.path = path;
    this.accept = accept;
  }

  /**
   * Reads the file for the first time.
   *
   * @throws UnusableCredentialsException when it cannot be read or has a mistake
   */
  public void open() {
    try {
      var _ = watch.open();
    } catch (IllegalArgumentException e) {
      throw new UnusableCredentialsException(String.valueOf(e.getMessage()), e);
    }
  }

  /** Reads the file, and accepts it when it has changed and was the same at the last look. */
  public void look() {
    watch.look();
  }

  @Override
  public List<FileWatch.NamedFile> files() {
    return List.of(new FileWatch.NamedFile(setting, path));
  }

  @Override
  public String parse(List<ByteBuffer> contents) {
    String text = new String(contents.getFirst().array(), UTF_8);
    try {
      accept.accept(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "%s: the file %s cannot be used: %s".formatted(setting, path, e.getMessage()), e);
    }
    return text;
  }

  @Override
  public void replaced(String by) {
    LOG.atInfo().addKeyValue("file", path).log("read again, for {}", setting);
  }

  @Override
  public void refused(IllegalArgumentException why) {
    LOG.atWarn()
        .addKeyValue("why", why.getMessage())
        .log("The file of {} cannot be used: the former content stays in use", setting);
  }
}
