package io.kairos.api.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A watch of two files that belong together: both have the same text, of letters only. */
class FileWatchTest implements FileWatch.FileUser<String> {
  @TempDir Path folder;
  private final List<String> taken = new ArrayList<>();
  private final List<String> refused = new ArrayList<>();
  private final FileWatch<String> watch = new FileWatch<>(this);
  private boolean fails;
  private String valid = "[a-z]+";

  @Override
  public List<FileWatch.NamedFile> files() {
    return List.of(
        new FileWatch.NamedFile("one", folder.resolve("one")),
        new FileWatch.NamedFile("two", folder.resolve("two")));
  }

  @Override
  public String parse(List<ByteBuffer> contents) {
    String text = new String(contents.get(0).array(), UTF_8);
    if (!text.matches(valid) || !contents.get(0).equals(contents.get(1))) {
      throw new IllegalArgumentException("bad: " + text);
    }
    return text;
  }

  @Override
  public void replaced(String by) {
    if (fails) {
      throw new IllegalStateException("of the test");
    }
    taken.add(by);
  }

  @Override
  public void refused(IllegalArgumentException why) {
    refused.add(String.valueOf(why.getMessage()));
  }

  private void write(String one, String two) throws IOException {
    Files.writeString(folder.resolve("one"), one);
    Files.writeString(folder.resolve("two"), two);
  }

  private void open() throws IOException {
    write("a", "a");
    assertThat(watch.open()).isEqualTo("a");
  }

  private boolean look(int times) {
    boolean changed = false;
    for (int i = 0; i < times; i++) {
      changed = watch.look();
    }
    return changed;
  }

  @Test
  void a_change_is_taken_when_two_looks_have_found_the_same() throws IOException {
    open();
    assertThat(look(3)).isFalse();

    write("half", "half");
    assertThat(watch.look()).isFalse();
    write("halfway", "halfway");
    assertThat(watch.look()).isFalse();
    assertThat(watch.look()).isTrue();
    assertThat(look(3)).isFalse();

    assertThat(taken).containsExactly("halfway");
    assertThat(refused).isEmpty();
  }

  @Test
  void files_that_are_written_one_after_the_other_are_no_trouble() throws IOException {
    open();
    write("b", "a");
    look(1);
    write("b", "b");
    look(2);

    assertThat(taken).containsExactly("b");
    assertThat(refused).isEmpty();
  }

  @Test
  void a_mistake_is_reported_once_for_each_change() throws IOException {
    open();
    write("1", "1");
    look(5);
    write("2", "2");
    look(5);
    assertThat(refused).containsExactly("bad: 1", "bad: 2");

    write("a", "a");
    look(5);
    write("2", "2");
    look(5);

    assertThat(refused).containsExactly("bad: 1", "bad: 2", "bad: 2");
    assertThat(taken).isEmpty();
  }

  @Test
  void missing_files_are_reported_once_and_those_that_are_as_before_are_not_taken_again()
      throws IOException {
    open();
    Files.delete(folder.resolve("two"));
    look(5);
    write("a", "a");
    look(5);

    assertThat(taken).isEmpty();
    assertThat(refused)
        .singleElement()
        .asString()
        .startsWith("two: the file " + folder.resolve("two") + " cannot be read (")
        .contains("NoSuchFileException");
  }

  @Test
  void a_mistake_may_end_by_itself() throws IOException {
    open();
    write("1", "1");
    look(3);
    valid = "[0-9]+";

    assertThat(watch.look()).isTrue();
    assertThat(taken).containsExactly("1");
  }

  @Test
  void files_that_could_not_be_used_are_given_again() throws IOException {
    open();
    fails = true;
    write("b", "b");
    look(1);
    assertThatIllegalStateException().isThrownBy(watch::look);
    fails = false;

    assertThat(watch.look()).isTrue();
    assertThat(taken).containsExactly("b");
  }

  @Test
  void a_watch_whose_files_were_unusable_at_first_goes_on() throws IOException {
    write("1", "1");
    assertThatIllegalArgumentException().isThrownBy(watch::open).withMessage("bad: 1");
    look(3);
    assertThat(refused).isEmpty();

    write("b", "b");
    look(2);

    assertThat(taken).containsExactly("b");
  }

  @Test
  void a_file_of_more_than_4_mib_is_not_read() throws IOException {
    Path file = Files.write(folder.resolve("large"), new byte[(4 << 20) + 1]);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> FileWatch.content(new FileWatch.NamedFile("large", file)))
        .withMessageContaining("it has more than 4 MiB");
  }

  private void makePipe(String name) throws Exception {
    Path pipe = folder.resolve(name);
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
  }

  /** Nobody writes to it again, so a second reader would wait for ever. */
  @Test
  @Timeout(60)
  void a_pipe_is_read_once_and_the_files_beside_it_are_still_watched() throws Exception {
    makePipe("one");
    Files.writeString(folder.resolve("two"), "a");
    Process writer =
        new ProcessBuilder("sh", "-c", "printf a > one").directory(folder.toFile()).start();
    assertThat(watch.open()).isEqualTo("a");
    assertThat(writer.waitFor()).isZero();

    assertThat(look(3)).isFalse();
    Files.writeString(folder.resolve("two"), "b");
    look(3);
    Files.writeString(folder.resolve("two"), "a");
    look(3);

    assertThat(refused).containsExactly("bad: a");
    assertThat(taken).isEmpty();
  }

  @Test
  @Timeout(60)
  void a_pipe_that_takes_the_place_of_a_file_is_not_opened() throws Exception {
    open();
    Files.delete(folder.resolve("two"));
    makePipe("two");
    look(3);

    assertThat(refused).singleElement().asString().contains("it is no regular file any more");
  }
}
