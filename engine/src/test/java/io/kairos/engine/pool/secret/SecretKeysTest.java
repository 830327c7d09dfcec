package io.kairos.engine.pool.secret;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SecretKeysTest {
  private static final byte[] SECRET = "a signing secret of 32 bytes ...".getBytes(UTF_8);
  private static final byte[] PLACE = {1, 2, 3};

  /** A line of the file; its key has this byte 32 times. */
  private static String line(String id, int filling) {
    return id + ":" + base64(32, filling);
  }

  private static String base64(int length, int filling) {
    byte[] key = new byte[length];
    Arrays.fill(key, (byte) filling);
    return Base64.getEncoder().encodeToString(key);
  }

  private static SecretKeys keys(String... lines) {
    return SecretKeys.parse(List.of(lines));
  }

  @Test
  void what_is_encrypted_is_decrypted_at_its_place_alone() {
    SecretKeys keys = keys(line("k1", 1));
    byte[] stored = keys.encrypt(SECRET, PLACE);

    assertThat(stored).hasSize(1 + 12 + SECRET.length + 16).startsWith(1);
    assertThat(new String(stored, UTF_8)).doesNotContain("signing");
    assertThat(keys.decrypt("k1", stored, PLACE)).isEqualTo(SECRET);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> keys.decrypt("k1", stored, new byte[] {1, 2, 4}))
        .withMessageContaining("k1")
        .withMessageContaining("for another pool");
  }

  @Test
  void a_nonce_is_never_used_again() {
    SecretKeys keys = keys(line("k1", 1));

    assertThat(keys.encrypt(SECRET, PLACE)).isNotEqualTo(keys.encrypt(SECRET, PLACE));
  }

  @Test
  void the_first_key_encrypts_and_all_decrypt() {
    byte[] before = keys(line("k1", 1)).encrypt(SECRET, PLACE);
    SecretKeys both = keys("# the present one", line("k2", 2), "", line("k1", 1));

    assertThat(both.first()).contains("k2");
    assertThat(both.decrypt("k1", before, PLACE)).isEqualTo(SECRET);
    assertThat(keys(line("k2", 2)).decrypt("k2", both.encrypt(SECRET, PLACE), PLACE))
        .isEqualTo(SECRET);
  }

  @Test
  void a_key_that_is_missing_or_another_one_is_named() {
    byte[] stored = keys(line("k1", 1)).encrypt(SECRET, PLACE);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> keys(line("k2", 2)).decrypt("k1", stored, PLACE))
        .withMessageContaining("k1")
        .withMessageContaining(SecretKeys.SETTING);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SecretKeys.NONE.decrypt("k1", stored, PLACE))
        .withMessageContaining("k1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> keys(line("k1", 3)).decrypt("k1", stored, PLACE))
        .withMessageContaining("another key of this id");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> keys(line("k1", 1)).decrypt("k1", SECRET, PLACE))
        .withMessageContaining("does not know");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          k1                  | line 2 is not id:key
          k 1:c2VjcmV0        | line 2 is not id:key
          k1:c2VjcmV0!        | the key of line 2 is not base64
          k1:c2VjcmV0         | the key of line 2 has 6 bytes, not 32
          """)
  void a_bad_line_is_named_without_its_key(String line, String why) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> keys("# keys", line))
        .withMessageStartingWith(why)
        .withMessageContaining("openssl rand -base64 32")
        .satisfies(refusal -> assertThat(refusal.getMessage()).doesNotContain("c2VjcmV0"));
  }

  @Test
  void a_file_has_keys_with_different_ids() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> keys("# none", ""))
        .withMessageStartingWith("the file has no key");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> keys(line("k1", 1), line("k1", 2)))
        .withMessageStartingWith("line 2 has the id of an earlier line");
  }

  @Test
  void keys_are_not_shown() {
    assertThat(keys(line("k1", 1), line("k2", 2)).toString()).isEqualTo("SecretKeys[k1, k2]");
  }
}
