package io.kairos.domain.pool;

import static java.util.Objects.requireNonNull;

import java.net.InetAddress;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * A range of addresses that begin with equal bits, written {@code 10.0.0.0/8}.
 *
 * @param bits the number of these bits
 */
public record AddressRange(InetAddress first, int bits) {
  private static final Pattern SHAPE = Pattern.compile("([0-9a-fA-F.:]+)/([0-9]{1,3})");

  /**
   * Reads a range. Throws {@link IllegalArgumentException} for another text, and for a range that
   * does not begin at its first address.
   */
  public static AddressRange of(String text) {
    Matcher parts = SHAPE.matcher(text);
    if (!parts.matches()) {
      throw refused(text);
    }
    InetAddress first;
    try {
      first = InetAddress.ofLiteral(requireNonNull(parts.group(1)));
    } catch (IllegalArgumentException e) {
      throw refused(text);
    }
    int bits = Integer.parseInt(requireNonNull(parts.group(2)));
    AddressRange range = new AddressRange(first, bits);
    if (bits > first.getAddress().length * Byte.SIZE || !range.isFirst()) {
      throw refused(text);
    }
    return range;
  }

  private static IllegalArgumentException refused(String text) {
    return new IllegalArgumentException(text + " is no range of addresses such as 10.0.0.0/8");
  }

  private boolean isFirst() {
    byte[] address = first.getAddress();
    return IntStream.range(bits, address.length * Byte.SIZE).noneMatch(bit -> bitOf(address, bit));
  }

  /**
   * Returns true if the range has this address. IPv4 ranges have no IPv6 addresses, and the other
   * way round.
   */
  public boolean contains(InetAddress address) {
    byte[] mine = first.getAddress();
    byte[] other = address.getAddress();
    if (mine.length != other.length) {
      return false;
    }
    for (int bit = 0; bit < bits; bit++) {
      if (bitOf(mine, bit) != bitOf(other, bit)) {
        return false;
      }
    }
    return true;
  }

  private static boolean bitOf(byte[] address, int bit) {
    return (address[bit / Byte.SIZE] & (0x80 >> (bit % Byte.SIZE))) != 0;
  }

  @Override
  public String toString() {
    return first.getHostAddress() + "/" + bits;
  }
}
