package io.kairos.hashgraph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FileJournalTest {
  @TempDir Path folder;
  private Path file;

  private static final int RECORD_BYTES = 9;

  private final SplittableRandom random = new SplittableRandom(1);

  /** A record with a place and a salt. */
  private static final int MARK_BYTES = RECORD_BYTES + 24;

  @BeforeEach
  void name() {
    file = folder.resolve("journal");
  }

  private static HashgraphConfig config(int self) {
    return new HashgraphConfig(
        new ReplicaId(self),
        new ReplicaGroup(4, ReplicaGroup.Faults.BYZANTINE),
        "cluster",
        HashgraphConfig.Pace.DEFAULT,
        HashgraphConfig.Bounds.DEFAULT);
  }

  private FileJournal open() {
    return FileJournal.open(file, config(1), false, random);
  }

  private static byte[] event(int number) {
    byte[] event = new byte[100 + number];
    Arrays.fill(event, (byte) number);
    return event;
  }

  private List<Integer> sizes() {
    try (FileJournal journal = open()) {
      return journal.read().events().stream().map(each -> each.length - 100).toList();
    }
  }

  private void append(int... numbers) {
    try (FileJournal journal = open()) {
      journal.read();
      for (int number : numbers) {
        journal.append(event(number));
        journal.force();
      }
    }
  }

  @Test
  void what_was_appended_is_read_in_order() {
    append(1, 2);
    append(3);

    assertThat(sizes()).containsExactly(1, 2, 3);
  }

  @Test
  void a_head_takes_the_place_of_everything() {
    append(1, 2);
    try (FileJournal journal = open()) {
      journal.replace(new byte[] {7}, List.of(event(2)));
      journal.append(event(4));
      journal.force();
    }
    try (FileJournal journal = open()) {
      assertThat(journal.read().head()).hasValue(new byte[] {7});
    }
    assertThat(sizes()).containsExactly(2, 4);
  }

  @Test
  void a_snapshot_of_many_parts_is_read_again() {
    byte[] head = new byte[200_000];
    random.nextBytes(head);
    try (FileJournal journal = open()) {
      journal.replace(head, List.of(event(2)));
    }
    try (FileJournal journal = open()) {
      assertThat(journal.read().head()).hasValue(head);
    }
    assertThat(sizes()).containsExactly(2);
  }

  /** What the journal says is all that remains of a start that failed after it. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void an_empty_journal_says_that_its_replica_has_forgotten(boolean isThere) {
    if (isThere) {
      assertThat(sizes()).isEmpty();
    }
    FileJournal.open(file, config(1), true, random).close();

    try (FileJournal journal = open()) {
      assertThat(journal.read().head()).hasValue(JournalHead.forgotten().encode());
    }
  }

  @Test
  void a_journal_with_events_has_forgotten_nothing() {
    append(1);
    FileJournal.open(file, config(1), true, random).close();

    try (FileJournal journal = open()) {
      assertThat(journal.read().head()).isEmpty();
    }
    assertThat(sizes()).containsExactly(1);
  }

  @Test
  void a_torn_end_is_cut_and_the_journal_goes_on() throws IOException {
    append(1, 2);
    byte[] all = Files.readAllBytes(file);
    for (int lost = MARK_BYTES + 1; lost <= MARK_BYTES + 110; lost++) {
      Files.write(file, Arrays.copyOf(all, all.length - lost));
      assertThat(sizes()).containsExactly(1);
    }
    append(5);
    assertThat(sizes()).containsExactly(1, 5);
  }

  @Test
  void noise_at_the_end_is_cut() throws IOException {
    append(1);
    Files.write(file, new byte[5_000], StandardOpenOption.APPEND);

    assertThat(sizes()).containsExactly(1);
  }

  @Test
  void damage_before_what_was_forced_is_refused() throws IOException {
    append(1, 2, 3);
    byte[] all = Files.readAllBytes(file);
    int first = all.length - 2 * (103 + RECORD_BYTES) - 2 * MARK_BYTES;
    all[first] ^= 1;
    Files.write(file, all);

    try (FileJournal journal = open()) {
      assertThatThrownBy(journal::read)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("is damaged at byte");
    }
  }

  @Test
  void a_torn_event_in_which_a_liar_has_put_marks_is_cut() throws IOException {
    append(1);
    byte[] liar = new byte[4_000];
    for (int at = 0; at + MARK_BYTES <= liar.length; at += MARK_BYTES) {
      ByteBuffer body = ByteBuffer.allocate(1 + MARK_BYTES - RECORD_BYTES).put((byte) 4);
      body.putLong(Files.size(file) + RECORD_BYTES + at);
      CRC32C sum = new CRC32C();
      sum.update(body.array());
      ByteBuffer.wrap(liar, at, MARK_BYTES)
          .putInt(MARK_BYTES - RECORD_BYTES)
          .putInt((int) sum.getValue())
          .put(body.array());
    }
    try (FileJournal journal = open()) {
      journal.append(liar);
    }
    byte[] all = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(all, all.length - 50));

    assertThat(sizes()).containsExactly(1);
  }

  @Test
  void the_journal_of_another_replica_is_refused() {
    append(1);
    try (FileJournal journal = FileJournal.open(file, config(2), false, random)) {
      assertThatThrownBy(journal::read)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("is not the journal of this replica");
    }
  }
}
