package io.kairos.domain.task.limit;

import static io.kairos.domain.check.ArgumentCheck.require;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The limits that hold for a task, at most three.
 *
 * @param names each once, in their order
 */
public record TaskLimits(List<LimitName> names) {
  public static final int MOST = 3;

  /** Those of a task that names none. */
  public static final TaskLimits NONE = new TaskLimits(List.of());

  /** No name has it. */
  private static final String BETWEEN = ",";

  /** Throws {@link IllegalArgumentException} for too many names. */
  public TaskLimits {
    names = names.stream().distinct().sorted().toList();
    require(names.size() <= MOST, "a task names at most 3 limits");
  }

  /** Throws {@link IllegalArgumentException} for too many names, or a wrong one. */
  public static TaskLimits of(Collection<String> names) {
    return names.isEmpty() ? NONE : new TaskLimits(names.stream().map(LimitName::new).toList());
  }

  /** Reads {@link #stored}. */
  public static TaskLimits ofStored(@Nullable String text) {
    return text == null ? NONE : of(Arrays.asList(text.split(BETWEEN)));
  }

  /** Returns the names in one text; null for none. */
  public @Nullable String stored() {
    return names.isEmpty()
        ? null
        : names.stream().map(LimitName::value).collect(Collectors.joining(BETWEEN));
  }

  public boolean isNone() {
    return names.isEmpty();
  }
}
