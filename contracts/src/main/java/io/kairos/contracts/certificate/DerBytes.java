package io.kairos.contracts.certificate;

import java.io.ByteArrayOutputStream;
import java.util.HexFormat;

/** Values of ASN.1 in DER, as far as certificates need them. */
final class DerBytes {
  static final int INTEGER = 0x02;
  static final int BITS = 0x03;
  static final int OCTETS = 0x04;
  static final int UTC_TIME = 0x17;
  static final int SEQUENCE = 0x30;

  private DerBytes() {}

  /** A value of this tag with the given parts as its content. */
  static byte[] of(int tag, byte[]... parts) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      content.writeBytes(part);
    }
    int length = content.size();
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    whole.write(tag);
    if (length >= 0x100) {
      whole.write(0x82);
      whole.write(length >> 8);
    } else if (length >= 0x80) {
      whole.write(0x81);
    }
    whole.write(length);
    whole.writeBytes(content.toByteArray());
    return whole.toByteArray();
  }

  /** Bytes that are written in hexadecimal, such as an identifier of an algorithm. */
  static byte[] hex(String text) {
    return HexFormat.of().parseHex(text);
  }
}
