package io.kairos.server.tidy;

import java.util.List;
import java.util.function.Function;

/**
 * A rule about files. Its findings name the file and what to do; {@code specimen} is the file that
 * it must find.
 */
record TidyRule(String name, Function<Repository, List<String>> findings, String specimen) {
  @Override
  public String toString() {
    return name;
  }
}
