package io.kairos.cli.text;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import org.jspecify.annotations.Nullable;

/** Writes trees of maps, lists and scalars as JSON. */
public final class JsonText {
  private static final Gson LINE = new GsonBuilder().disableHtmlEscaping().create();
  private static final Gson PRETTY = LINE.newBuilder().setPrettyPrinting().create();

  private JsonText() {}

  public static String of(@Nullable Object tree) {
    return PRETTY.toJson(tree);
  }

  /** Returns a document of one line, without its end. */
  public static String line(@Nullable Object tree) {
    return LINE.toJson(tree);
  }
}
