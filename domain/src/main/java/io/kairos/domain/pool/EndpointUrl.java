package io.kairos.domain.pool;

import static java.util.Objects.requireNonNull;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The URL of an endpoint of a pool: scheme, host, port and perhaps a path. Read strictly, because a
 * URL that two readers understand differently can bypass a check: there is one spelling of an
 * address and no user, query, fragment, escape or trailing dot.
 *
 * @param host a name in lower case, or an address as {@link InetAddress} writes it
 * @param path without a slash at its end; empty for none
 */
public record EndpointUrl(boolean tls, String host, int port, String path) {
  /** The rule for a URL, for messages. */
  public static final String RULE =
      "http:// or https://, a host name or an IP address in its usual form, perhaps a port and a"
          + " plain path, nothing else";

  private static final int LONGEST = 500;
  private static final int HTTP = 80;
  private static final int HTTPS = 443;
  private static final int LAST_PORT = 65_535;
  private static final int LONGEST_NAME = 253;
  private static final Pattern SHAPE =
      Pattern.compile(
          "(https?)://(\\[[0-9a-fA-F:]{2,39}]|[A-Za-z0-9.-]{1,253})(?::([1-9][0-9]{0,4}))?((?:/[A-Za-z0-9._~-]+)*)/?");
  private static final Pattern LABEL = Pattern.compile("[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?");
  private static final Pattern OCTET = Pattern.compile("0|[1-9][0-9]{0,2}");
  private static final Pattern NUMBER = Pattern.compile("[0-9]+|0[xX][0-9A-Fa-f]*");
  private static final Pattern UP = Pattern.compile("(?:^|/)\\.{1,2}(?:/|$)");

  /** Throws {@link IllegalArgumentException} for a text outside {@link #RULE}. */
  public static EndpointUrl of(String text) {
    Matcher parts = SHAPE.matcher(text);
    if (text.length() > LONGEST || !parts.matches()) {
      throw refused();
    }
    boolean tls = requireNonNull(parts.group(1)).equals("https");
    String given = parts.group(3);
    int usual = tls ? HTTPS : HTTP;
    int port = given == null ? usual : Integer.parseInt(given);
    String path = requireNonNull(parts.group(4));
    if (port > LAST_PORT || UP.matcher(path).find()) {
      throw refused();
    }
    return new EndpointUrl(tls, host(requireNonNull(parts.group(2))), port, path);
  }

  private static String host(String text) {
    String host = text.toLowerCase(Locale.ROOT);
    if (host.startsWith("[")) {
      return sixth(host.substring(1, host.length() - 1));
    }
    String[] labels = host.split("\\.", -1);
    String last = labels[labels.length - 1];
    if (NUMBER.matcher(last).matches()) {
      return fourth(labels, host);
    }
    if (host.length() > LONGEST_NAME) {
      throw refused();
    }
    for (String label : labels) {
      if (!LABEL.matcher(label).matches()) {
        throw refused();
      }
    }
    return host;
  }

  /** Reads four decimal numbers without leading zeros; every other spelling is refused. */
  private static String fourth(String[] labels, String host) {
    if (labels.length != 4) {
      throw refused();
    }
    for (String label : labels) {
      if (!OCTET.matcher(label).matches() || Integer.parseInt(label) > 255) {
        throw refused();
      }
    }
    return host;
  }

  private static String sixth(String text) {
    try {
      if (InetAddress.ofLiteral(text) instanceof Inet6Address address) {
        return address.getHostAddress();
      }
    } catch (IllegalArgumentException _) {
      // is refused below
    }
    throw refused();
  }

  private static IllegalArgumentException refused() {
    return new IllegalArgumentException("a URL of an endpoint has " + RULE);
  }

  /** Returns the address if the host is one; empty when it is a name. */
  public Optional<InetAddress> address() {
    char last = host.charAt(host.length() - 1);
    boolean isAddress = host.indexOf(':') >= 0 || isAllNumbers(last);
    return isAddress ? Optional.of(InetAddress.ofLiteral(host)) : Optional.empty();
  }

  private boolean isAllNumbers(char last) {
    return Character.isDigit(last) && host.chars().allMatch(c -> c == '.' || Character.isDigit(c));
  }

  /** Returns host and port as they stand in a URL. */
  public String authority() {
    return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
  }

  @Override
  public String toString() {
    return (tls ? "https://" : "http://") + authority() + path;
  }
}
