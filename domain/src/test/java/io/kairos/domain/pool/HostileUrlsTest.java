package io.kairos.domain.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a node may be talked into connecting to (reliability A11). The list is in {@code
 * hostile-urls.txt}.
 */
class HostileUrlsTest {
  private static final AllowList PUBLIC_NAMES =
      AllowList.of(List.of("*.example.com", "example.org"), PortList.DEFAULT);

  /** The widest list that can be written. */
  private static final AllowList EVERYTHING =
      AllowList.of(List.of("0.0.0.0/0", "::/0", "*.com", "*.org", "*.internal"), PortList.DEFAULT);

  static Stream<String> hostile() throws IOException {
    try (InputStream in = HostileUrlsTest.class.getResourceAsStream("hostile-urls.txt")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8)
          .lines().filter(line -> !line.isBlank() && !line.startsWith("# ")).toList().stream();
    }
  }

  @Test
  void there_are_more_than_a_hundred() throws IOException {
    assertThat(hostile()).hasSizeGreaterThan(100).doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @MethodSource("hostile")
  void no_hostile_url_passes_a_list_of_public_names(String url) {
    assertThat(refusal(url, PUBLIC_NAMES)).as(url).isPresent();
  }

  @Test
  void an_entry_of_very_many_labels_is_refused_and_does_not_use_up_the_stack() {
    String name = "a.".repeat(100_000) + "com";

    assertThatThrownBy(() -> AllowList.of(List.of(name), PortList.DEFAULT))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(AllowList.RULE);
  }

  private static Optional<String> refusal(String text, AllowList list) {
    EndpointUrl url;
    try {
      url = EndpointUrl.of(text);
    } catch (IllegalArgumentException e) {
      return Optional.ofNullable(e.getMessage());
    }
    return list.refusal(url);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0.0.0.0",
        "169.254.169.254",
        "169.254.0.1",
        "100.100.100.200",
        "168.63.129.16",
        "192.0.0.192",
        "192.0.2.1",
        "198.51.100.7",
        "203.0.113.7",
        "224.0.0.1",
        "239.255.255.250",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "fe80::1",
        "fec0::1",
        "ff02::1",
        "fd00:ec2::254",
        "fd20:ce::254",
        "64:ff9b::a00:1",
        "64:ff9b:1::1",
        "2002:7f00:1::",
        "2001::1",
        "2001:db8::1",
        "3fff::1",
        "::7f00:1",
        "100::1",
        "4000::1"
      })
  void some_addresses_are_never_pushed_to_whatever_is_listed(String address) {
    EndpointUrl url = EndpointUrl.of("http://worker.example.com:8080");

    assertThat(EVERYTHING.refusal(url, InetAddress.ofLiteral(address)))
        .as(address)
        .hasValueSatisfying(why -> assertThat(why).contains("never pushed to"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1",
        "127.255.255.254",
        "10.1.2.3",
        "172.16.0.1",
        "172.31.255.255",
        "192.168.1.1",
        "100.64.0.1",
        "198.18.0.1",
        "::1",
        "fc00::1",
        "fd12:3456::1"
      })
  void a_private_address_needs_a_range_and_a_name_does_not_help(String address) {
    EndpointUrl url = EndpointUrl.of("http://worker.example.com:8080");
    InetAddress one = InetAddress.ofLiteral(address);

    assertThat(PUBLIC_NAMES.refusal(url, one))
        .hasValueSatisfying(why -> assertThat(why).contains("private"));
    assertThat(EVERYTHING.refusal(url, one)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "http://a.example.com, 93.184.216.34, true",
    "https://a.b.example.com:8443, 93.184.216.34, true",
    "http://example.org, 2606:2800:220:1::1, true",
    "http://example.com, 93.184.216.34, false",
    "http://badexample.com, 93.184.216.34, false",
    "http://example.com.evil.net, 93.184.216.34, false",
    "http://a.example.org, 93.184.216.34, false",
    "http://a.example.com:22, 93.184.216.34, false",
    "http://a.example.com:6379, 93.184.216.34, true"
  })
  void a_name_opens_public_addresses_on_ports_that_are_listed(
      String url, String address, boolean good) {
    assertThat(PUBLIC_NAMES.refusal(EndpointUrl.of(url), InetAddress.ofLiteral(address)).isEmpty())
        .isEqualTo(good);
  }

  @ParameterizedTest
  @CsvSource({
    "http://worker, http://worker:80",
    "https://Worker.Example.COM, https://worker.example.com:443",
    "http://10.0.0.1:8080/, http://10.0.0.1:8080",
    "https://w.example.com/jobs/v1/, https://w.example.com:443/jobs/v1",
    "http://[::1]:9090/x, http://[0:0:0:0:0:0:0:1]:9090/x",
    "http://xn--bcher-kva.example, http://xn--bcher-kva.example:80"
  })
  void what_is_plain_is_read(String text, String read) {
    assertThat(EndpointUrl.of(text)).hasToString(read);
    assertThat(EndpointUrl.of(read)).isEqualTo(EndpointUrl.of(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "exa mple.com", "10.0.0.0/33", "10.0.0.1/8", "*", "**.com", "1.2.3.4", "a/b"})
  void what_is_no_entry_is_refused(String entry) {
    assertThatThrownBy(() -> AllowList.of(List.of(entry), PortList.DEFAULT))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0", "80-79", "65536", "a", "-1", "1-"})
  void what_is_no_port_is_refused(String port) {
    assertThatThrownBy(() -> PortList.of(List.of(port)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
