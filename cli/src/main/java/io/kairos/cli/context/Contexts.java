package io.kairos.cli.context;

import java.util.Collections;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The contexts of a user.
 *
 * @param current the name of the one in use; it may name none that exists, because users edit the
 *     file
 */
public record Contexts(@Nullable String current, SortedMap<String, Context> byName) {
  public static final Contexts NONE = new Contexts(null, new TreeMap<>());

  public Contexts {
    byName = Collections.unmodifiableSortedMap(new TreeMap<>(byName));
  }

  public Contexts with(String name, Context context) {
    SortedMap<String, Context> changed = new TreeMap<>(byName);
    changed.put(name, context);
    return new Contexts(current, changed);
  }

  /** Removes a context, which is no longer in use either. */
  public Contexts without(String name) {
    SortedMap<String, Context> changed = new TreeMap<>(byName);
    changed.remove(name);
    return new Contexts(Objects.equals(current, name) ? null : current, changed);
  }

  public Contexts using(String name) {
    return new Contexts(name, byName);
  }
}
