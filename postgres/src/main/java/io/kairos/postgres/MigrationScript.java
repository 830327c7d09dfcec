package io.kairos.postgres;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.CRC32;

/**
 * A migration as its file is named: {@code V3__pool_round_robin.sql}.
 *
 * @param description as Flyway reads it from the name
 */
record MigrationScript(int version, String description, String file, String sql) {
  private static final String FOLDER = "/io/kairos/postgres/";

  /** All migrations in their order. The index names them, because not every jar can be listed. */
  static List<MigrationScript> all() {
    return read("migrations.txt").lines().map(MigrationScript::of).toList();
  }

  private static MigrationScript of(String file) {
    int end = file.indexOf("__");
    String words = file.substring(end + 2, file.length() - ".sql".length());
    return new MigrationScript(
        Integer.parseInt(file.substring(1, end)),
        words.replace('_', ' '),
        file,
        read("migration/" + file));
  }

  private static String read(String file) {
    try (InputStream in = MigrationScript.class.getResourceAsStream(FOLDER + file)) {
      if (in == null) {
        throw new IllegalStateException("no file " + FOLDER + file);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }

  /** The sum of the lines without their ends, as Flyway makes it. */
  int checksum() {
    CRC32 sum = new CRC32();
    try (BufferedReader lines = new BufferedReader(new StringReader(sql))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        sum.update(line.getBytes(StandardCharsets.UTF_8));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return (int) sum.getValue();
  }
}
