package io.kairos.cli.option;

import java.util.Iterator;
import java.util.List;

/**
 * Marks options and parameters that are names of contexts. Scripts for completion replace {@link
 * #MARK} by a call of a function that reads the names when they are needed.
 */
public final class ContextNames implements Iterable<String> {
  public static final String MARK = "kairos-contexts";

  @Override
  public Iterator<String> iterator() {
    return List.of(MARK).iterator();
  }
}
