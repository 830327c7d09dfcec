package io.kairos.cli.text;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.core.util.Separators.Spacing;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes trees as JSON, indented by two spaces. It uses Jackson's generator, because the object
 * mapper would add 0.2 s to the start of every command.
 */
final class JsonText {
  private static final JsonFactory JSON = new JsonFactory();
  private static final DefaultIndenter BY_TWO = new DefaultIndenter("  ", "\n");
  private static final DefaultPrettyPrinter INDENTED =
      new DefaultPrettyPrinter(
              Separators.createDefaultInstance()
                  .withObjectFieldValueSpacing(Spacing.AFTER)
                  .withObjectEmptySeparator("")
                  .withArrayEmptySeparator(""))
          .withObjectIndenter(BY_TWO)
          .withArrayIndenter(BY_TWO);

  private JsonText() {}

  static String of(@Nullable Object tree) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(text)) {
      json.setPrettyPrinter(INDENTED.createInstance());
      write(tree, json);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  private static void write(@Nullable Object tree, JsonGenerator json) throws IOException {
    switch (tree) {
      case null -> json.writeNull();
      case Map<?, ?> map -> {
        json.writeStartObject();
        for (Map.Entry<?, ?> entry : map.entrySet()) {
          json.writeFieldName(String.valueOf(entry.getKey()));
          write(entry.getValue(), json);
        }
        json.writeEndObject();
      }
      case Collection<?> list -> {
        json.writeStartArray();
        for (Object value : list) {
          write(value, json);
        }
        json.writeEndArray();
      }
      case Number number -> json.writeNumber(number.toString());
      case Boolean flag -> json.writeBoolean(flag);
      default -> json.writeString(tree.toString());
    }
  }
}
