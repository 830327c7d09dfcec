package io.kairos.domain.task;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kairos.domain.check.HashFunction;
import java.util.HexFormat;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * The fingerprint of an error: equal for errors of one class whose texts differ only in numbers,
 * ids, addresses and quoted parts. Failures are grouped by it, so a change of these rules parts the
 * failures before it from those after it. Looks at a bounded part of the text; takes microseconds.
 */
public final class ErrorFingerprint {
  /** What a fingerprint looks like, for messages. */
  public static final String RULE = "16 hexadecimal digits";

  /** In UTF-16 units. What follows in a text is details more often than another kind of error. */
  static final int MOST_READ = 1_000;

  /** An encrypted text is another one each time; only the class tells such failures apart. */
  private static final String ENCRYPTED = "kairos-encrypted:";

  private static final int BYTES = 8;
  private static final Pattern FORM = Pattern.compile("[0-9a-f]{16}");

  /** The parts of a text that differ from one failure to the next; every repetition is bounded. */
  private static final Pattern VARIABLE =
      Pattern.compile(
          String.join(
              "|",
              // quoted; an apostrophe within a word is none
              "\"[^\"\\n]{0,200}\"",
              "(?<![\\p{L}\\p{N}])'[^'\\n]{0,200}'(?![\\p{L}\\p{N}])",
              "`[^`\\n]{0,200}`",
              "\u201c[^\u201d\\n]{0,200}\u201d",
              // addresses: URLs, mail, IPv6
              "\\b[A-Za-z][A-Za-z0-9+.-]{0,15}+://[^\\s\"'<>()]{1,1000}",
              "(?<![\\w.+%-])[\\w.+%-]{1,64}+@[\\w-]{1,63}(?:\\.[\\w-]{1,63}){1,5}",
              "(?<![\\w:.])(?:[0-9A-Fa-f]{0,4}:){2,7}[0-9A-Fa-f]{0,4}(?![\\w:])",
              // ids
              "\\b[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}\\b",
              "\\b0[xX][0-9A-Fa-f]{1,64}\\b",
              // words of letters and digits, of which the function below leaves the letters of
              // names
              "(?<![\\p{L}\\p{N}])[\\p{L}\\p{N}]{1,1000}+"));

  private static final Pattern SEVERAL =
      Pattern.compile("(?<![\\p{L}\\p{N}])[-+]?#(?:[-+.:_/,; ]{1,2}#)+|(?<![\\p{L}\\p{N}])[-+]#");

  private static final Pattern DIGITS = Pattern.compile("\\p{N}+");
  private static final Pattern HEX = Pattern.compile("[0-9A-Fa-f]+");
  private static final Pattern SPACES = Pattern.compile("\\s+");

  /** From this length on, hexadecimal digits are an id, and not a word. */
  private static final int LEAST_HEX = 6;

  /** From this length on they are one even without a digit. */
  private static final int LEAST_HEX_OF_LETTERS = 16;

  private ErrorFingerprint() {}

  /**
   * Returns the fingerprint.
   *
   * @param errorClass the class of the error; empty for none
   */
  public static String of(String errorClass, String text) {
    byte[] hash = HashFunction.sha256().digest((errorClass + '\n' + plain(text)).getBytes(UTF_8));
    return HexFormat.of().formatHex(hash, 0, BYTES);
  }

  /** True for a text that may be a fingerprint. */
  public static boolean isValid(String text) {
    return FORM.matcher(text).matches();
  }

  /** The part of the text that counts, with a number sign for each part that varies. */
  static String plain(String text) {
    if (text.startsWith(ENCRYPTED)) {
      return ENCRYPTED;
    }
    String read = text.substring(0, Math.min(text.length(), MOST_READ));
    String marked = VARIABLE.matcher(read).replaceAll(ErrorFingerprint::mark);
    String once = SEVERAL.matcher(marked).replaceAll("#");
    return SPACES.matcher(once).replaceAll(" ").strip();
  }

  private static String mark(MatchResult part) {
    String word = part.group();
    if (!Character.isLetterOrDigit(word.codePointAt(0)) || !isWord(word)) {
      return "#";
    }
    long numbers = DIGITS.matcher(word).results().count();
    if (numbers == 0) {
      return isHex(word, LEAST_HEX_OF_LETTERS) ? "#" : word;
    }
    boolean isId =
        numbers > 1 || isHex(word, LEAST_HEX) || word.startsWith("0x") || word.startsWith("0X");
    return isId ? "#" : DIGITS.matcher(word).replaceAll("#");
  }

  private static boolean isHex(String word, int least) {
    return word.length() >= least && HEX.matcher(word).matches();
  }

  private static boolean isWord(String text) {
    return text.codePoints().allMatch(Character::isLetterOrDigit);
  }
}
