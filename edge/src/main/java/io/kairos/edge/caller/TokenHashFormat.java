package io.kairos.edge.caller;

import io.kairos.engine.setting.ValueFormat;
import java.util.Locale;

/** The SHA-256 of a token, in hexadecimal digits. */
final class TokenHashFormat extends ValueFormat<String> {
  TokenHashFormat() {
    super(
        "SHA-256",
        "the SHA-256 of the caller's token, 64 hexadecimal digits",
        "[0-9a-fA-F]{64}",
        text -> text.toLowerCase(Locale.ROOT));
  }
}
