package io.kairos.api.text;

import com.google.protobuf.Descriptors.FieldDescriptor;
import java.io.IOException;

/**
 * A value of a text in JSON, YAML or the like, for a {@link MessageReader}. It may be a view of a
 * parser that is read once: the reader asks for each part once and in order. What is implemented
 * here is of a text without structure, such as the parameter of a query.
 */
public interface TextValue {
  /** What it is. */
  enum Kind {
    OBJECT,
    LIST,
    SCALAR,
    NULL
  }

  /** Is handed the fields of an object. */
  @FunctionalInterface
  interface Fields {
    void field(String name, TextValue value) throws IOException;
  }

  /** Is handed the items of a list. */
  @FunctionalInterface
  interface Items {
    void item(TextValue value) throws IOException;
  }

  default Kind kind() {
    return Kind.SCALAR;
  }

  /** Of a scalar. */
  String text() throws IOException;

  /** Whether a scalar as it is written may be of a type: JSON has numbers, texts and flags. */
  default boolean mayBe(FieldDescriptor.JavaType type) {
    return true;
  }

  /** Of an object. */
  default void fields(Fields each) throws IOException {
    throw new IllegalStateException("it is no object");
  }

  /** Of a list. */
  default void items(Items each) throws IOException {
    throw new IllegalStateException("it is no list");
  }

  /** What is thrown when it breaks a rule. */
  RuntimeException refused(String path, String rule);
}
