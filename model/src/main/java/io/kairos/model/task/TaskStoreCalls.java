package io.kairos.model.task;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A wrapper around a task store or another port, for any method: the simulator lets time pass in
 * each call, and mutants override the calls that they break.
 */
public final class TaskStoreCalls {
  private TaskStoreCalls() {}

  /** An interceptor of every call. */
  public interface Passage {
    /**
     * One call of the port.
     *
     * @param name name of the method
     * @param argument the first argument, or the method's name if there is none
     * @param effect carries out the call, at most once; may run after the caller has given up,
     *     because the arguments are copied
     */
    Object pass(String name, Object argument, Supplier<Object> effect);
  }

  /** Makes a port whose calls all pass through the interceptor. */
  public static <P> P through(Class<P> port, Passage passage, P next) {
    return proxy(
        port,
        (method, arguments) -> {
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
   * Makes a port some of whose methods are overridden.
   *
   * @param overriding has public methods as the port has them, and no others
   */
  public static <P> P overridden(Class<P> port, P next, Object overriding) {
    Map<Method, Method> overrides = new HashMap<>();
    for (Method own : overriding.getClass().getDeclaredMethods()) {
      if (Modifier.isPublic(own.getModifiers())) {
        own.setAccessible(true);
        overrides.put(ofPort(port, own), own);
      }
    }
    return proxy(
        port,
        (method, arguments) -> {
          Method own = overrides.get(method);
          return own == null ? invoke(method, next, arguments) : invoke(own, overriding, arguments);
        });
  }

  private static Method ofPort(Class<?> port, Method own) {
    try {
      return port.getMethod(own.getName(), own.getParameterTypes());
    } catch (NoSuchMethodException e) {
      throw new IllegalArgumentException(port + " has no such method: " + own, e);
    }
  }

  private interface Handler {
    @Nullable Object call(Method method, @Nullable Object[] arguments);
  }

  private static <P> P proxy(Class<P> port, Handler handler) {
    return port.cast(
        Proxy.newProxyInstance(
            port.getClassLoader(),
            new Class<?>[] {port},
            (_, method, arguments) ->
                handler.call(method, arguments == null ? new Object[0] : arguments)));
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
