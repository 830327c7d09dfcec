package io.kairos.server.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads a YAML file into texts by dotted key, each with its line. Nested and dotted keys are
 * equivalent; a list becomes its elements, joined by commas. Does not parse values.
 */
final class YamlFile {
  private final String name;
  private final YAMLParser parser;
  private final Map<String, GivenSetting> values = new LinkedHashMap<>();

  private YamlFile(String name, YAMLParser parser) {
    this.name = name;
    this.parser = parser;
  }

  static Map<String, GivenSetting> read(Path file) {
    try (Reader text = Files.newBufferedReader(file)) {
      return parse(file.toString(), text);
    } catch (IOException e) {
      throw new ConfigurationException(
          "The configuration file " + file + " (--config) cannot be read: " + e);
    }
  }

  static Map<String, GivenSetting> parse(String name, Reader text) throws IOException {
    try (YAMLParser parser = new YAMLFactory().createParser(text)) {
      YamlFile file = new YamlFile(name, parser);
      file.document();
      return file.values;
    } catch (JsonProcessingException e) {
      throw new ConfigurationException(
          "%s line %d: %s".formatted(name, e.getLocation().getLineNr(), e.getOriginalMessage()));
    }
  }

  private void document() throws IOException {
    JsonToken first = parser.nextToken();
    if (first == null) {
      return; // nothing but comments
    }
    if (first != JsonToken.START_OBJECT) {
      throw problem("expected keys such as http.port, found " + describe(first));
    }
    mapping("");
    if (parser.nextToken() != null) {
      throw problem("a second document begins; there must be one");
    }
  }

  private void mapping(String prefix) throws IOException {
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String key = prefix + parser.currentName();
      int line = line();
      JsonToken token = parser.nextToken();
      switch (token) {
        case START_OBJECT -> mapping(key + ".");
        case START_ARRAY -> put(key, String.join(",", sequence(key)), line);
        case VALUE_NULL -> throw problem(key + " has no value");
        default -> put(key, scalar(key), line);
      }
    }
  }

  private List<String> sequence(String key) throws IOException {
    List<String> elements = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      if (!parser.currentToken().isScalarValue()) {
        throw problem(key + " must be a list of plain values");
      }
      elements.add(scalar(key));
    }
    return elements;
  }

  private String scalar(String key) throws IOException {
    if (parser.isCurrentAlias()) {
      throw problem(key + " refers to an anchor, which is not supported; write the value");
    }
    return parser.getText();
  }

  private void put(String spelled, String text, int line) {
    String key = SettingSources.wholeKey(spelled);
    GivenSetting before =
        values.put(key, new GivenSetting(key, text, SettingOrigin.line(name, line)));
    if (before != null) {
      throw problem(key + " is given twice, here and by " + before.origin().text());
    }
  }

  private int line() {
    return parser.currentTokenLocation().getLineNr();
  }

  private ConfigurationException problem(String what) {
    return new ConfigurationException("%s line %d: %s.".formatted(name, line(), what));
  }

  private static String describe(JsonToken token) {
    return token == JsonToken.START_ARRAY ? "a list" : "a single value";
  }
}
