package io.kairos.domain.pool;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The host names and address ranges that a node may push to. A name alone allows public addresses
 * only; a private address (loopback, RFC 1918, ULA, CGNAT) must be in a listed range. A node never
 * pushes to link-local, cloud metadata, multicast or reserved addresses, nor to IPv6 addresses that
 * carry an IPv4 one, whatever is listed.
 */
public final class AllowList {
  /** The rule for an entry, for messages. */
  public static final String RULE =
      "a host name such as worker.example.com, *.example.com for all names below it, or a range of"
          + " addresses such as 10.0.0.0/8";

  /** That of a name in the DNS, and an asterisk. The pattern would recurse for each label. */
  private static final int LONGEST_NAME = 255;

  private static final Pattern NAME =
      Pattern.compile(
          "(?:\\*\\.)?(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\\.)*[a-z0-9-]*[a-z][a-z0-9-]*");

  private static final List<AddressRange> NEVER =
      ranges(
          "0.0.0.0/8",
          "169.254.0.0/16",
          "192.0.0.0/24",
          "192.0.2.0/24",
          "192.88.99.0/24",
          "198.51.100.0/24",
          "203.0.113.0/24",
          "224.0.0.0/4",
          "240.0.0.0/4",
          // metadata of clouds
          "100.100.100.200/32",
          "168.63.129.16/32",
          "fd00:ec2::254/128",
          "fd20:ce::254/128",
          // with an IPv4 address inside: NAT64, 6to4, Teredo
          "64:ff9b::/96",
          "64:ff9b:1::/48",
          "2002::/16",
          "2001::/23",
          "2001:db8::/32",
          "3fff::/20");

  private static final List<AddressRange> PRIVATE =
      ranges(
          "10.0.0.0/8",
          "100.64.0.0/10",
          "127.0.0.0/8",
          "172.16.0.0/12",
          "192.168.0.0/16",
          "198.18.0.0/15",
          "::1/128",
          "fc00::/7");

  /**
   * The IPv6 addresses that are assigned. A node never pushes to others, unless they are private.
   */
  private static final AddressRange GIVEN_OUT = AddressRange.of("2000::/3");

  private final List<String> names = new ArrayList<>();
  private final List<AddressRange> listed = new ArrayList<>();
  private final PortList ports;

  private AllowList(PortList ports) {
    this.ports = ports;
  }

  /**
   * Makes a list.
   *
   * @throws IllegalArgumentException for an entry outside {@link #RULE}
   */
  public static AllowList of(List<String> entries, PortList ports) {
    AllowList list = new AllowList(ports);
    for (String entry : entries) {
      String text = entry.toLowerCase(Locale.ROOT);
      if (text.indexOf('/') >= 0) {
        list.listed.add(AddressRange.of(text));
      } else if (text.length() <= LONGEST_NAME && NAME.matcher(text).matches()) {
        list.names.add(text);
      } else {
        throw new IllegalArgumentException(entry + " is not " + RULE);
      }
    }
    return list;
  }

  private static List<AddressRange> ranges(String... texts) {
    return Stream.of(texts).map(AddressRange::of).toList();
  }

  /**
   * Returns why a URL is refused before its name is resolved; empty when it is allowed, or when
   * that depends on the addresses of its name.
   */
  public Optional<String> refusal(EndpointUrl url) {
    Optional<InetAddress> address = url.address();
    if (address.isPresent()) {
      return refusal(url, address.get());
    }
    if (!ports.contains(url.port())) {
      return Optional.of(portRefused(url));
    }
    return isNamed(url.host()) || !listed.isEmpty()
        ? Optional.empty()
        : Optional.of("push.allow does not have " + url.host());
  }

  /** Returns why an address of the URL's name is refused; empty when it is allowed. */
  public Optional<String> refusal(EndpointUrl url, InetAddress address) {
    String text = address.getHostAddress();
    if (!ports.contains(url.port())) {
      return Optional.of(portRefused(url));
    }
    if (isNever(address)) {
      return Optional.of(text + " is link-local, reserved or of cloud metadata: never pushed to");
    }
    if (isIn(listed, address)) {
      return Optional.empty();
    }
    if (isIn(PRIVATE, address)) {
      return Optional.of(text + " is a private address and in no range of push.allow");
    }
    return isNamed(url.host())
        ? Optional.empty()
        : Optional.of("push.allow has neither " + url.host() + " nor " + text);
  }

  private static String portRefused(EndpointUrl url) {
    return "port " + url.port() + " is not in push.allow-ports";
  }

  private static boolean isNever(InetAddress address) {
    boolean sixth = address.getAddress().length > 4;
    return isIn(NEVER, address)
        || (sixth && !GIVEN_OUT.contains(address) && !isIn(PRIVATE, address));
  }

  private static boolean isIn(List<AddressRange> ranges, InetAddress address) {
    return ranges.stream().anyMatch(range -> range.contains(address));
  }

  private boolean isNamed(String host) {
    return names.stream()
        .anyMatch(
            name -> name.startsWith("*.") ? host.endsWith(name.substring(1)) : host.equals(name));
  }
}
