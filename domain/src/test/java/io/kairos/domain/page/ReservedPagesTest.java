package io.kairos.domain.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReservedPagesTest {
  private static final PageId ONE = new PageId(PageArea.USER, 7, 0);
  private static final PageId TWO = new PageId(PageArea.USER, 7, 1);
  private static final PageId SCHEDULE = new PageId(PageArea.SCHEDULE, 7, 0);

  private final ReservedPages pages = new ReservedPages(1 << 20);

  private static byte[] bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return bytes;
  }

  @Test
  void a_page_holds_what_was_written_last() {
    assertThat(pages.read(ONE)).isEmpty();

    pages.write(ONE, bytes(1, 2));
    pages.write(ONE, bytes(3));

    assertThat(pages.read(ONE)).hasValue(bytes(3));
    assertThat(pages.delete(ONE)).isTrue();
    assertThat(pages.delete(ONE)).isFalse();
    assertThat(pages.read(ONE)).isEmpty();
  }

  @Test
  void nobody_changes_a_page_through_the_bytes_that_he_has() {
    byte[] written = bytes(1);
    pages.write(ONE, written);
    written[0] = 9;
    pages.read(ONE).orElseThrow()[0] = 8;

    assertThat(pages.read(ONE)).hasValue(bytes(1));
  }

  @Test
  void the_pages_of_an_area_are_listed_in_order() {
    pages.write(new PageId(PageArea.OUTBOX, Long.MAX_VALUE, Integer.MAX_VALUE), bytes(1));
    pages.write(new PageId(PageArea.OUTBOX, Long.MIN_VALUE, 3), bytes(1));
    pages.write(ONE, bytes(1));
    pages.write(SCHEDULE, bytes(1));

    assertThat(pages.in(PageArea.OUTBOX))
        .extracting(PageId::owner)
        .containsExactly(Long.MIN_VALUE, Long.MAX_VALUE);
    assertThat(pages.in(PageArea.CLOCK)).isEmpty();
  }

  @Test
  void cc_l4_a_page_has_4096_bytes() {
    pages.write(ONE, new byte[4_096]);

    assertThatThrownBy(() -> pages.write(ONE, new byte[4_097]))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> pages.write(ONE, new byte[0]))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void cc_l4_bytes_are_bounded_and_what_has_filled_them_leaves_room_to_effects_and_tables() {
    ReservedPages few = new ReservedPages(10_000);
    few.write(ONE, new byte[4_000]);
    few.write(TWO, new byte[744]); // with 128 for each page, exactly a half
    PageId third = new PageId(PageArea.USER, 7, 2);
    PageId effect = new PageId(PageArea.OUTBOX, 7, 0);

    assertThat(few.room(PageArea.USER)).isZero();
    assertThatThrownBy(() -> few.write(third, bytes(1)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("5000 of 5000 bytes")
        .hasMessageContaining("no room for 129 more");
    assertThatThrownBy(() -> few.write(TWO, new byte[745]))
        .isInstanceOf(IllegalStateException.class);
    few.write(effect, new byte[2_372]); // exactly a quarter
    assertThatThrownBy(() -> few.write(effect, new byte[2_373]))
        .isInstanceOf(IllegalStateException.class);
    few.write(SCHEDULE, new byte[2_372]);
    assertThatThrownBy(() -> few.write(SCHEDULE, new byte[2_373]))
        .isInstanceOf(IllegalStateException.class);

    assertThat(few.read(TWO).orElseThrow()).hasSize(744);
    assertThat(few.bytes(PageArea.USER)).isEqualTo(5_000);
    few.write(ONE, new byte[3_999]);
    few.delete(TWO);
    few.delete(effect);
    few.delete(SCHEDULE);
    few.write(third, bytes(1));
    assertThat(few.bytes(PageArea.USER)).isEqualTo(3_999 + 1 + 2 * 128);
    assertThat(few.room(PageArea.USER)).isEqualTo(5_000 - (4_000 + 2 * 128));
    assertThat(few.room(PageArea.CLOCK)).isEqualTo(2_500);
  }

  @Test
  void what_is_taken_back_or_restored_counts_as_before() {
    pages.write(ONE, new byte[100]);
    assertThatThrownBy(() ->
            pages.undoIfItThrows(() -> {
              pages.write(TWO, new byte[1_000]);
              pages.write(ONE, new byte[10]);
              pages.delete(ONE);
              throw new IllegalArgumentException("on purpose");
            }))
        .hasMessage("on purpose");
    assertThat(pages.bytes(PageArea.USER)).isEqualTo(228);

    ReservedPages other = new ReservedPages(456);
    other.restore(pages.snapshot());
    assertThat(other.bytes(PageArea.USER)).isEqualTo(228);
  }

  @Test
  void an_equal_content_is_no_write() {
    pages.write(ONE, bytes(1));
    long before = pages.writes();

    pages.write(ONE, bytes(1));

    assertThat(pages.writes()).isEqualTo(before);
  }

  @Test
  void an_owners_pages_are_listed_in_order() {
    pages.write(TWO, bytes(1));
    pages.write(ONE, bytes(1));
    pages.write(SCHEDULE, bytes(1));
    pages.write(new PageId(PageArea.USER, 8, 0), bytes(1));

    assertThat(pages.owned(PageArea.USER, 7)).containsExactly(ONE, TWO);
  }

  @Test
  void cc10_what_user_code_wrote_before_it_threw_is_taken_back_and_nothing_else() {
    pages.write(ONE, bytes(1));

    assertThatThrownBy(() ->
            pages.undoIfItThrows(() -> {
              pages.write(ONE, bytes(2));
              pages.delete(ONE);
              pages.write(TWO, bytes(2));
              pages.write(SCHEDULE, bytes(2));
              throw new IllegalArgumentException("on purpose");
            }))
        .hasMessage("on purpose");

    assertThat(pages.read(ONE)).hasValue(bytes(1));
    assertThat(pages.read(TWO)).isEmpty();
    assertThat(pages.read(SCHEDULE)).hasValue(bytes(2));
  }

  @Test
  void cc10_code_inside_code_takes_back_its_own() {
    pages.undoIfItThrows(() -> {
      pages.write(ONE, bytes(1));
      assertThatThrownBy(() ->
              pages.undoIfItThrows(() -> {
                pages.write(TWO, bytes(2));
                throw new IllegalArgumentException("on purpose");
              }))
          .hasMessage("on purpose");
    });

    assertThat(pages.read(ONE)).isPresent();
    assertThat(pages.read(TWO)).isEmpty();
  }

  @Test
  void cc30_a_snapshot_stays_what_it_was_and_restores_it() {
    pages.write(ONE, bytes(1));
    pages.write(SCHEDULE, bytes(5));
    byte[] digest = pages.digest();
    ReservedPages.Snapshot snapshot = pages.snapshot();
    pages.write(ONE, bytes(2));
    pages.delete(SCHEDULE);
    long generation = pages.generation();

    pages.restore(ReservedPages.Snapshot.decode(snapshot.encode()));

    assertThat(pages.digest()).isEqualTo(digest);
    assertThat(pages.read(ONE)).hasValue(bytes(1));
    assertThat(pages.generation()).isNotEqualTo(generation);
    assertThat(pages.count()).isEqualTo(2);
  }

  @Test
  void equal_pages_have_equal_digests_however_they_came_about() {
    ReservedPages other = new ReservedPages(1 << 20);
    pages.write(ONE, bytes(1));
    pages.write(TWO, bytes(2));
    other.write(TWO, bytes(7));
    other.write(TWO, bytes(2));
    other.write(ONE, bytes(1));

    assertThat(pages.digest()).isEqualTo(other.digest());
    assertThat(pages.snapshot().encode()).isEqualTo(other.snapshot().encode());
    other.write(TWO, bytes(3));
    assertThat(pages.digest()).isNotEqualTo(other.digest());
  }

  @Test
  void what_was_written_has_a_hash_that_is_the_same_for_the_same_writes() {
    ReservedPages other = new ReservedPages(1 << 20);
    assertThat(pages.takeWriteHash()).isZero();
    for (ReservedPages each : List.of(pages, other)) {
      each.write(ONE, bytes(1));
      each.write(TWO, bytes(1));
      each.delete(ONE);
    }
    assertThat(pages.takeWriteHash()).isEqualTo(other.takeWriteHash()).isNotZero();

    pages.write(ONE, bytes(1));
    other.write(ONE, bytes(2));
    assertThat(pages.takeWriteHash()).isNotEqualTo(other.takeWriteHash());
    pages.write(ONE, bytes(1));
    assertThat(pages.takeWriteHash()).isZero();
  }

  @Test
  void bytes_that_are_no_snapshot_are_refused() {
    pages.write(ONE, bytes(1, 2, 3));
    byte[] good = pages.snapshot().encode();

    for (int length = 0; length < good.length; length++) {
      byte[] cut = Arrays.copyOf(good, length);
      assertThatThrownBy(() -> ReservedPages.Snapshot.decode(cut))
          .isInstanceOf(IllegalArgumentException.class);
    }
    byte[] longer = Arrays.copyOf(good, good.length + 1);
    assertThatThrownBy(() -> ReservedPages.Snapshot.decode(longer))
        .isInstanceOf(IllegalArgumentException.class);
    byte[] otherArea = good.clone();
    otherArea[4] = 99;
    assertThatThrownBy(() -> ReservedPages.Snapshot.decode(otherArea))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void a_snapshot_that_is_too_large_is_refused() {
    pages.write(ONE, bytes(1));
    pages.write(TWO, bytes(1));

    assertThatThrownBy(() -> new ReservedPages(300).restore(pages.snapshot()))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void user_code_cannot_replace_the_state_that_it_runs_in() {
    ReservedPages.Snapshot snapshot = pages.snapshot();

    assertThatThrownBy(() -> pages.undoIfItThrows(() -> pages.restore(snapshot)))
        .isInstanceOf(IllegalStateException.class);
  }
}
