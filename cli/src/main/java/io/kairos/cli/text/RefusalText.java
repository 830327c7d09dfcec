package io.kairos.cli.text;

import static java.util.Objects.requireNonNull;

import io.kairos.client.error.InvalidRequestException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.sql.SQLException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Formats why a command was refused. */
public final class RefusalText {
  private RefusalText() {}

  /** Returns the error text, with the position in the expression where the node gives it. */
  public static String of(Exception refusal) {
    String message =
        switch (refusal) {
          case IOException e -> "cannot read or write: " + reason(e);
          case UncheckedIOException e ->
              e.getMessage() + ": " + reason(requireNonNull(e.getCause()));
          case SQLException e -> "the database: " + e.getMessage();
          default -> String.valueOf(refusal.getMessage());
        };
    return refusal instanceof InvalidRequestException invalid
        ? message + pointer(invalid.details())
        : message;
  }

  private static String reason(IOException failure) {
    return switch (failure) {
      case NoSuchFileException e -> "no such file " + e.getFile();
      case AccessDeniedException e -> "no permission for " + e.getFile();
      default -> String.valueOf(failure.getMessage());
    };
  }

  private static String pointer(Map<String, String> details) {
    @Nullable String expression = details.get("expression");
    @Nullable String position = details.get("position");
    if (expression == null || position == null) {
      return "";
    }
    String margin = System.lineSeparator() + "  ";
    return margin + expression + margin + " ".repeat(Integer.parseInt(position)) + "^";
  }
}
