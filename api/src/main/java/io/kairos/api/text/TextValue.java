package io.kairos.api.text;

import com.google.protobuf.Descriptors.FieldDescriptor;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A value in JSON, YAML or a similar syntax, for a {@link MessageReader}. It may be a view of a
 * parser that is read once, because the reader asks for each part once and in order. The default
 * methods are those of a text without structure, such as a query parameter.
 */
public interface TextValue {
  /** Kind of the value. */
  enum Kind {
    OBJECT,
    LIST,
    SCALAR,
    NULL
  }

  /** Receives the fields of an object. */
  @FunctionalInterface
  interface Fields {
    void field(String name, TextValue value) throws IOException;
  }

  /** Receives the items of a list. */
  @FunctionalInterface
  interface Items {
    void item(TextValue value) throws IOException;
  }

  default Kind kind() {
    return Kind.SCALAR;
  }

  /** Returns the text of a scalar. */
  String text() throws IOException;

  /**
   * True when a scalar as it is written may be of a type: JSON distinguishes numbers, texts and
   * booleans.
   */
  default boolean mayBe(FieldDescriptor.JavaType type) {
    return true;
  }

  /** Passes on the fields of an object. */
  default void fields(Fields each) throws IOException {
    throw new IllegalStateException("it is no object");
  }

  /** Passes on the items of a list. */
  default void items(Items each) throws IOException {
    throw new IllegalStateException("it is no list");
  }

  /**
   * Returns the text of the whole value as JSON, of whatever kind it is; null where the syntax is
   * not JSON, and JSON can only be written as a text.
   */
  default @Nullable String asJson() throws IOException {
    return null;
  }

  /** Returns the exception for a value that breaks a rule. */
  RuntimeException refused(String path, String rule);
}
