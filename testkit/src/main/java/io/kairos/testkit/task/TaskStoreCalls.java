package io.kairos.testkit.task;

import io.kairos.engine.task.port.TaskStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Stands between a node and its task store, whatever calls the port has: the simulator lets time go
 * by in each of them, a mutant overrides the one that it breaks.
 */
public final class TaskStoreCalls {
  private TaskStoreCalls() {}

  /** Where every call comes by. */
  public interface Passage {
    /**
     * One call of the store.
     *
     * @param name of the method
     * @param argument the first, which says what the call is about; the name when there is none
     * @param effect to be had once at most; the arguments are copied, so that it may come after the
     *     caller has given up
     */
    Object pass(String name, Object argument, Supplier<Object> effect);
  }

  /** A store of which every call comes by there. */
  public static TaskStore through(Passage passage, TaskStore next) {
    return proxy((method, arguments) -> {
      List<@Nullable Object> copies = new ArrayList<>();
      for (Object argument : arguments) {
        copies.add(copyOf(argument));
      }
      Object first = copies.isEmpty() ? null : copies.getFirst();
      return passage.pass(
          method.getName(),
          first == null ? method.getName() : first,
          () -> {
            Object result = invoke(method, next, copies.toArray());
            return result == null ? method.getName() : result; // void
          });
    });
  }

  /**
   * A store of which some calls are another's.
   *
   * @param overriding has methods as the port has them
   */
  public static TaskStore overridden(TaskStore next, Object overriding) {
    return proxy((method, arguments) -> {
      for (Method own : overriding.getClass().getDeclaredMethods()) {
        if (own.getName().equals(method.getName())
            && Arrays.equals(own.getParameterTypes(), method.getParameterTypes())) {
          own.setAccessible(true);
          return invoke(own, overriding, arguments);
        }
      }
      return invoke(method, next, arguments);
    });
  }

  private interface Handler {
    @Nullable Object call(Method method, @Nullable Object[] arguments);
  }

  private static TaskStore proxy(Handler handler) {
    return (TaskStore)
        Proxy.newProxyInstance(
            TaskStore.class.getClassLoader(),
            new Class<?>[] {TaskStore.class},
            (_, method, arguments) ->
                handler.call(method, arguments == null ? new Object[0] : arguments));
  }

  /** In the order of the original: that of {@link Set#copyOf} is another in each JVM. */
  private static @Nullable Object copyOf(@Nullable Object argument) {
    return switch (argument) {
      case Set<?> set -> new LinkedHashSet<>(set);
      case Collection<?> some -> List.copyOf(some);
      case null, default -> argument;
    };
  }

  private static @Nullable Object invoke(Method method, Object on, @Nullable Object[] arguments) {
    try {
      return method.invoke(on, arguments);
    } catch (InvocationTargetException e) {
      switch (e.getCause()) {
        case RuntimeException unavailable -> throw unavailable;
        case Error broken -> throw broken;
        case null, default -> throw new IllegalStateException(e);
      }
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }
}
