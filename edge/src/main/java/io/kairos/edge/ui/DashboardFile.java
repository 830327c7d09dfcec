package io.kairos.edge.ui;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.MediaType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * A file of the dashboard. It is read and compressed at its first use, and kept; of two first uses
 * at once each does so. Thread-safe.
 */
final class DashboardFile {
  private static final Map<String, MediaType> TYPES =
      Map.of(
          "html", MediaType.HTML_UTF_8,
          "js", MediaType.parse("text/javascript; charset=utf-8"),
          "css", MediaType.CSS_UTF_8,
          "svg", MediaType.SVG_UTF_8,
          "png", MediaType.PNG);

  private static final int TAG_BYTES = 12;

  private final URL place;
  private final MediaType type;

  private volatile @Nullable Content content;

  /**
   * The bytes that are sent, in both forms.
   *
   * @param tag the entity tag; a weak one, because it is that of both forms
   */
  record Content(HttpData plain, HttpData compressed, String tag) {
    HttpData data(boolean compresses) {
      return compresses ? compressed : plain;
    }
  }

  private DashboardFile(URL place, MediaType type) {
    this.place = place;
    this.type = type;
  }

  /** Empty for a file that is not one for browsers. */
  static Optional<DashboardFile> of(String path, @Nullable URL place) {
    MediaType type = TYPES.get(path.substring(path.lastIndexOf('.') + 1));
    return place == null || type == null
        ? Optional.empty()
        : Optional.of(new DashboardFile(place, type));
  }

  MediaType type() {
    return type;
  }

  /** Blocks at the first call. */
  Content content() {
    Content made = content;
    if (made == null) {
      byte[] bytes = bytes();
      made = new Content(HttpData.wrap(bytes), HttpData.wrap(compressed(bytes)), tag(bytes));
      content = made;
    }
    return made;
  }

  /** The file itself. */
  byte[] bytes() {
    try (InputStream in = place.openStream()) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] compressed(byte[] bytes) {
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(compressed)) {
      out.write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return compressed.toByteArray();
  }

  private static String tag(byte[] bytes) {
    return "W/\""
        + Base64.getUrlEncoder().encodeToString(Arrays.copyOf(sha256(bytes), TAG_BYTES))
        + '"';
  }

  static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
