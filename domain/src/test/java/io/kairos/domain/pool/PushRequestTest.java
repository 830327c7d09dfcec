package io.kairos.domain.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.domain.delay.MessageHeader;
import io.kairos.domain.pool.PushRequest.Fire;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PushRequestTest {
  private static final byte[] BODY = {0, 1, -1};

  private static MessageHeader header(String name, String value) {
    return new MessageHeader(name, value.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void what_is_encoded_is_decoded() {
    PushRequest request =
        new PushRequest(
            "PUT",
            "/orders/7?dry=1",
            List.of(header("Content-Type", "text/plain"), header("x-a", "1"), header("x-a", "2")),
            BODY,
            new Fire("nightly", 1_772_366_400_000_000L));

    PushRequest read = PushRequest.decode(request.encode());

    assertThat(read.method()).isEqualTo("PUT");
    assertThat(read.path()).isEqualTo("/orders/7?dry=1");
    assertThat(read.headers()).isEqualTo(request.headers());
    assertThat(read.body()).isEqualTo(BODY);
    assertThat(read.fire()).isEqualTo(request.fire());
    assertThat(PushRequest.decode(PushRequest.post(BODY).encode()).fire()).isNull();
  }

  @Test
  void what_is_cut_off_or_something_else_is_refused() {
    byte[] whole = PushRequest.post(new byte[0]).encode();
    for (int length = 0; length < whole.length; length++) {
      byte[] part = Arrays.copyOf(whole, length);
      assertThatThrownBy(() -> PushRequest.decode(part))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> PushRequest.decode(new byte[] {9, 0, 0, 0, 0}))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "x",
        "//evil.net/x",
        "/a/../b",
        "/..",
        "/a/%2e%2e/b",
        "/a%2f..%2fb",
        "/./a",
        "/a b",
        "/a#b",
        "/a\\b",
        "/a\r\nhost: evil",
        "/é",
        "/growth=100%",
        "/a%zz",
        "/a%2",
        "/a%00b",
        "/a%0d%0ahost:evil",
        "/a%7F",
        "http://evil.net/"
      })
  void a_path_that_leads_elsewhere_is_refused(String path) {
    assertThatThrownBy(() -> new PushRequest("POST", path, List.of(), BODY))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/a", "/a/b.c/d..e", "/a?b=c&d=%20%C3%A9", "/a:run", "/~x/@y"})
  void a_plain_path_is_taken(String path) {
    assertThat(PushRequest.isPath(path)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Host",
        "content-length",
        "Transfer-Encoding",
        "connection",
        "X-Forwarded-For",
        "Kairos-Fence",
        "webhook-id",
        "Proxy-Authorization",
        "traceparent",
        "a b",
        "a:b",
        ""
      })
  void a_header_that_is_not_the_callers_is_refused(String name) {
    assertThatThrownBy(() -> new PushRequest("POST", "/", List.of(header(name, "x")), BODY))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void a_header_with_a_line_end_is_refused() {
    assertThat(PushRequest.isHeader(header("x-a", "1\r\nx-b: 2"))).isFalse();
    assertThat(PushRequest.isHeader(header("x-a", "x".repeat(4_097)))).isFalse();
    assertThat(PushRequest.isHeader(new MessageHeader("x-a", null))).isFalse();
  }
}
