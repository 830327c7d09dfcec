package io.kairos.fuzzing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;

/**
 * The inputs of one parser in {@code src/test/resources/fuzz/<parser>}: each line of {@code
 * lines.txt}, each line of {@code lines.base64} decoded, and every other file as a whole; {@code
 * words.txt} is the dictionary of the format. A failing input becomes a file there. A parser whose
 * inputs are written by code needs no folder.
 */
record FuzzCorpus(List<byte[]> inputs, List<byte[]> words) {
  private static final Path ROOT = Path.of("src", "test", "resources", "fuzz");

  static FuzzCorpus of(String parser) {
    return of(ROOT.resolve(parser));
  }

  static FuzzCorpus of(Path folder) {
    List<byte[]> inputs = new ArrayList<>();
    List<byte[]> words = new ArrayList<>();
    if (!Files.exists(folder)) {
      return new FuzzCorpus(inputs, words);
    }
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.sorted().toList()) {
        switch (String.valueOf(file.getFileName())) {
          case "lines.txt" ->
              Files.readAllLines(file).forEach(line -> inputs.add(line.getBytes(UTF_8)));
          case "lines.base64" ->
              Files.readAllLines(file)
                  .forEach(line -> inputs.add(Base64.getDecoder().decode(line)));
          case "words.txt" ->
              Files.readAllLines(file).forEach(line -> words.add(line.getBytes(UTF_8)));
          default -> inputs.add(Files.readAllBytes(file));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the corpus cannot be read", e);
    }
    return new FuzzCorpus(inputs, words);
  }
}
