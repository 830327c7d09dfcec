package io.kairos.domain.task;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ErrorFingerprintTest {
  /** Messages of real programs; each pair is one error that came twice. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "Connection refused: /10.0.0.7:5432 | Connection refused: /10.0.12.9:5433",
        "connect timed out after 5000 ms | connect timed out after 30000 ms",
        "Read timed out (5.5s) | Read timed out (12.25s)",
        "order 4711 not found | order 12 not found",
        "Task 019b76da-a800-7000-8000-000000000004 is gone | Task 550e8400-e29b-41d4-a716-446655440000 is gone",
        "com.acme.Order@1b6d3586 cannot be cast | com.acme.Order@7f31245a cannot be cast",
        "SIGSEGV at 0x00007f3a2c001000 | SIGSEGV at 0xdeadbeef",
        "commit 3f2a91c does not exist | commit 9e35311badb37c95708c7e690477f2b1e8869304 does not exist",
        "no such key 01J9ZQ4T5N6K8M2P3R7SVWXYZ0 | no such key 01J9ZQ5AB3C8D2E7F6G1H4J9K0",
        "duplicate key value violates unique constraint \"users_pkey\" Detail: Key (id)=(17) already exists. | duplicate key value violates unique constraint \"users_pkey\" Detail: Key (id)=(4) already exists.",
        "Unknown column 'foo' in 'field list' | Unknown column 'bar_2' in 'field list'",
        "Cannot invoke \"String.length()\" because \"<local1>\" is null | Cannot invoke \"Object.hashCode()\" because \"<local4>\" is null",
        "GET https://api.example.com/v1/users/alice?x=1 gave no answer | GET https://api.example.com/v1/users/bob gave no answer",
        "550 5.1.1 <anna@example.com>: user unknown | 550 5.1.1 <bert.x@mail.example.org>: user unknown",
        "No route to host: [fe80::1ff:fe23:4567:890a]:443 | No route to host: [2001:db8:85a3::8a2e:370:7334]:8443",
        "lock held since 2026-11-26T03:04:05Z | lock held since 2025-01-02T23:59:59Z",
        "missing ids [1, 2, 3] | missing ids [17]",
        "balance is -12.50 EUR | balance is 3 EUR",
        "the lease of attempt 3 lapsed | the lease of attempt 11 lapsed",
        "user_42 is locked | user_7 is locked",
        "/tmp/upload-8423/part-00017.csv: disk full | /tmp/upload-12/part-00003.csv: disk full",
      })
  void an_error_that_comes_again_with_other_numbers_and_names_has_its_fingerprint(
      String one, String again) {
    assertThat(ErrorFingerprint.plain(one)).isEqualTo(ErrorFingerprint.plain(again)).contains("#");
    assertThat(ErrorFingerprint.of("x.Error", one))
        .isEqualTo(ErrorFingerprint.of("x.Error", again));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "connect timed out | Read timed out",
        "order 4711 not found | invoice 4711 not found",
        "it can't be read, and won't be | it can't be written, and won't be",
        "utf8 expected | utf16le expected",
        "com.acme.v1.Order: no total | com.acme.v1.Invoice: no total",
        "std::bad_alloc | std::bad_cast",
        "disk full | ",
      })
  void other_errors_have_other_fingerprints(String one, String other) {
    assertThat(ErrorFingerprint.of("", one))
        .isNotEqualTo(ErrorFingerprint.of("", other == null ? "" : other));
  }

  @Test
  void words_and_names_are_left_as_they_are() {
    assertThat(ErrorFingerprint.plain("java.io.IOException: it can't  be\n\tread by Log4j2"))
        .isEqualTo("java.io.IOException: it can't be read by #");
    assertThat(ErrorFingerprint.plain("an x509 error of the facade"))
        .isEqualTo("an x# error of the facade");
  }

  @Test
  void the_class_counts_as_it_is() {
    assertThat(ErrorFingerprint.of("HTTP 404", "no"))
        .isNotEqualTo(ErrorFingerprint.of("HTTP 500", "no"))
        .isNotEqualTo(ErrorFingerprint.of("", "no"));
  }

  @Test
  void an_encrypted_text_is_like_any_other_one() {
    assertThat(ErrorFingerprint.of("x.Error", "kairos-encrypted:AAEC"))
        .isEqualTo(ErrorFingerprint.of("x.Error", "kairos-encrypted:Zm9v"))
        .isNotEqualTo(ErrorFingerprint.of("y.Error", "kairos-encrypted:AAEC"));
  }

  /** Stored fingerprints must be found again by later builds. */
  @Test
  void a_fingerprint_stays_what_it_is() {
    String one =
        ErrorFingerprint.of("java.net.ConnectException", "Connection refused: 10.0.0.7:5432");

    assertThat(one).isEqualTo("d71e85afa15c4aed");
    assertThat(ErrorFingerprint.isValid(one)).isTrue();
    assertThat(ErrorFingerprint.isValid(one.substring(1))).isFalse();
    assertThat(ErrorFingerprint.isValid(one.substring(1) + "G")).isFalse();
  }

  @Test
  void only_the_beginning_of_a_text_counts_and_no_text_takes_long() {
    String begin = "no room ".repeat(ErrorFingerprint.MOST_READ / 8);

    assertThat(ErrorFingerprint.of("", begin + "a"))
        .isEqualTo(ErrorFingerprint.of("", begin + "b"));
    for (String hard : new String[] {"'", "\"", "a.", "a@", "1:", "f-", "x://", "#,", "-#", "a1"}) {
      assertThat(ErrorFingerprint.of("", hard.repeat(ErrorText.LONGEST))).hasSize(16);
    }
    assertThat(ErrorFingerprint.of("", "\ud83d half a pair $1 \\ {")).hasSize(16);
  }
}
