package io.kairos.consensus;

import static java.util.Objects.requireNonNullElse;

import java.io.ObjectInputFilter;
import java.util.Collection;

/**
 * Lets Java deserialization of this JVM read exceptions with their stack traces, and nothing else.
 * Ratis sends exceptions between replicas that way, so whoever reaches the port of the log could
 * otherwise have any class of the class path read.
 */
final class ExceptionFilter implements ObjectInputFilter {
  private static final int MOST_DEPTH = 100;
  private static final int MOST_REFERENCES = 100_000;
  private static final int LONGEST_ARRAY = 10_000;
  private static final int MOST_BYTES = 8 << 20;

  /** Sets the filter, unless the JVM was started with one ({@code jdk.serialFilter}). */
  static synchronized void install() {
    if (Config.getSerialFilter() == null) {
      Config.setSerialFilter(new ExceptionFilter());
    }
  }

  @Override
  public Status checkInput(FilterInfo info) {
    if (info.depth() > MOST_DEPTH
        || info.references() > MOST_REFERENCES
        || info.arrayLength() > LONGEST_ARRAY
        || info.streamBytes() > MOST_BYTES) {
      return Status.REJECTED;
    }
    Class<?> read = info.serialClass();
    if (read == null) {
      return Status.UNDECIDED;
    }
    Class<?> element = requireNonNullElse(read.componentType(), read);
    boolean isPartOfAnException =
        Throwable.class.isAssignableFrom(element)
            || element == StackTraceElement.class
            || isSuppressedList(element);
    return isPartOfAnException ? Status.ALLOWED : Status.REJECTED;
  }

  /** Exceptions keep what they suppress in lists of the JDK; an {@code ArrayList} has an array. */
  private static boolean isSuppressedList(Class<?> type) {
    boolean isOfTheJdk = type.getClassLoader() == null && type.getPackageName().equals("java.util");
    return (isOfTheJdk
            && Collection.class.isAssignableFrom(type)
            && (type.getSimpleName().endsWith("List")
                || type.getSimpleName().endsWith("Collection")))
        || type == Object.class;
  }
}
