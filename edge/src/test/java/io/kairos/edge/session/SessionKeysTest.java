package io.kairos.edge.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.edge.caller.UnusableCredentialsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SessionKeysTest {
  private static final String PURPOSE = "session";

  @TempDir private Path folder;

  private static String hex(int number) {
    return HexFormat.of().formatHex(key(number));
  }

  private static byte[] key(int number) {
    byte[] key = new byte[32];
    Arrays.fill(key, (byte) number);
    return key;
  }

  private Path file(String... lines) throws Exception {
    return Files.writeString(folder.resolve("key"), String.join("\n", lines));
  }

  private SessionKeys of(String... lines) throws Exception {
    return new SessionKeys(Optional.of(file(lines)));
  }

  @Test
  void what_is_sealed_opens_with_the_same_key_for_the_same_purpose_only() throws Exception {
    SessionKeys keys = of("# of all nodes", hex(1), "");
    String sealed = keys.seal(PURPOSE, "ann");

    assertThat(sealed).matches("[\\w-]+").isNotEqualTo(keys.seal(PURPOSE, "ann"));
    assertThat(of(Base64.getEncoder().encodeToString(key(1))).open(PURPOSE, sealed))
        .contains("ann");
    assertThat(of(hex(1).toUpperCase(Locale.ROOT)).open(PURPOSE, sealed)).contains("ann");
    assertThat(keys.open("login", sealed)).isEmpty();
    assertThat(of(hex(2)).open(PURPOSE, sealed)).isEmpty();
    assertThat(new SessionKeys(Optional.empty()).open(PURPOSE, sealed)).isEmpty();
  }

  @Test
  void a_change_of_any_bit_and_any_cut_is_seen() throws Exception {
    SessionKeys keys = of(hex(1));
    byte[] sealed = Base64.getUrlDecoder().decode(keys.seal(PURPOSE, "ann"));
    for (int bit = 0; bit < sealed.length * 8; bit++) {
      byte[] changed = sealed.clone();
      changed[bit / 8] ^= (byte) (1 << (bit % 8));
      assertThat(keys.open(PURPOSE, Base64.getUrlEncoder().encodeToString(changed)))
          .as("bit %s", bit)
          .isEmpty();
    }
    for (int length = 0; length < sealed.length; length++) {
      byte[] cut = Arrays.copyOf(sealed, length);
      assertThat(keys.open(PURPOSE, Base64.getUrlEncoder().encodeToString(cut))).isEmpty();
    }
    assertThat(keys.open(PURPOSE, "no base64: \u00e9")).isEmpty();
  }

  @Test
  void a_new_key_seals_while_a_former_one_still_opens() throws Exception {
    SessionKeys keys = of(hex(1));
    String former = keys.seal(PURPOSE, "ann");

    file(hex(2), hex(1));
    look(keys);

    assertThat(keys.open(PURPOSE, former)).contains("ann");
    assertThat(of(hex(2)).open(PURPOSE, keys.seal(PURPOSE, "bob"))).contains("bob");

    file(hex(2));
    look(keys);

    assertThat(keys.open(PURPOSE, former)).isEmpty();
  }

  @Test
  void half_a_file_and_a_missing_one_change_nothing() throws Exception {
    for (String whole : new String[] {hex(2), Base64.getEncoder().encodeToString(key(2))}) {
      SessionKeys keys = of(hex(1));
      String sealed = keys.seal(PURPOSE, "ann");
      for (int length = 0; length < whole.length(); length++) {
        file(whole.substring(0, length));
        look(keys);
        assertThat(keys.open(PURPOSE, sealed)).as("%s of it", length).contains("ann");
      }
      Files.delete(folder.resolve("key"));
      look(keys);
      assertThat(keys.open(PURPOSE, sealed)).contains("ann");
    }
  }

  @Test
  void a_file_that_cannot_be_used_does_not_start_and_is_not_shown() {
    assertThatThrownBy(() -> of("# nothing"))
        .isInstanceOf(UnusableCredentialsException.class)
        .hasMessageContaining("http.session-key-file")
        .hasMessageContaining("it has no key");
    assertThatThrownBy(() -> of(hex(1), "a word that is no key"))
        .hasMessageContaining("line 2: a key is 32 bytes")
        .hasMessageNotContaining("a word");
    assertThatThrownBy(() -> new SessionKeys(Optional.of(folder.resolve("none"))))
        .isInstanceOf(UnusableCredentialsException.class);
  }

  /** A change is taken when two looks have found the same. */
  private static void look(SessionKeys keys) {
    keys.upkeep().orElseThrow().runOnce();
    keys.upkeep().orElseThrow().runOnce();
  }
}
