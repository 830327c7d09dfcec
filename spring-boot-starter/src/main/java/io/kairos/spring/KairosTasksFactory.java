package io.kairos.spring;

import static java.util.Objects.requireNonNull;

import io.kairos.client.TaskRequest;
import io.kairos.client.task.RetryPolicy;
import io.kairos.client.task.TaskId;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;

/**
 * The bean of an interface whose methods schedule tasks.
 *
 * @param <T> the interface
 */
final class KairosTasksFactory<T> implements FactoryBean<T> {
  private final Class<T> type;
  private final KairosTemplate template;
  private final TaskMethodReader reader;

  /** For Spring. */
  KairosTasksFactory(
      Class<T> type,
      KairosTemplate template,
      PayloadForms forms,
      ConfigurableListableBeanFactory beans) {
    this.type = type;
    this.template = template;
    this.reader = new TaskMethodReader(beans::resolveEmbeddedValue, forms, PayloadValidation.NONE);
  }

  @Override
  public T getObject() {
    Map<Method, TaskCall> calls = calls();
    InvocationHandler handler =
        (proxy, method, given) -> {
          @Nullable Object[] arguments = given == null ? new @Nullable Object[0] : given;
          TaskCall call = calls.get(method);
          return call == null
              ? other(proxy, method, arguments)
              : call.schedule(template, arguments);
        };
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  /** Returns the handlers of the tasks by methods, which are named for people. */
  Map<String, String> places() {
    Map<String, String> places = new TreeMap<>();
    calls().forEach((method, call) -> places.put(place(method), call.handler()));
    return places;
  }

  private Map<Method, TaskCall> calls() {
    Map<Method, TaskCall> calls = new HashMap<>();
    for (Method method : type.getMethods()) {
      if (Modifier.isAbstract(method.getModifiers())) {
        calls.put(method, read(method));
      }
    }
    return calls;
  }

  private String place(Method method) {
    return "the method " + method.getName() + " of " + type.getName();
  }

  @Override
  public Class<?> getObjectType() {
    return type;
  }

  @SuppressWarnings("ReferenceEquality") // a proxy equals itself alone
  private @Nullable Object other(Object proxy, Method method, @Nullable Object[] arguments)
      throws Throwable {
    if (method.isDefault()) {
      return MethodHandles.privateLookupIn(method.getDeclaringClass(), MethodHandles.lookup())
          .unreflectSpecial(method, method.getDeclaringClass())
          .bindTo(proxy)
          .invokeWithArguments(arguments);
    }
    return switch (method.getName()) {
      case "equals" -> proxy == arguments[0];
      case "hashCode" -> System.identityHashCode(proxy);
      default -> "tasks of " + type.getName();
    };
  }

  private TaskCall read(Method method) {
    String place = place(method);
    KairosTask task = AnnotatedElementUtils.findMergedAnnotation(method, KairosTask.class);
    String handler = task == null ? "" : reader.text(task.name());
    if (task == null || handler.isEmpty()) {
      throw new KairosConfigurationException(
          TaskMethodReader.capital(place) + " does not say which task it schedules.",
          "Give it @KairosTask with the name of a handler.");
    }
    int payload = -1;
    int due = -1;
    Class<?>[] parameters = method.getParameterTypes();
    for (int i = 0; i < parameters.length; i++) {
      boolean isTime = parameters[i] == Duration.class || parameters[i] == Instant.class;
      if (isTime ? due >= 0 : payload >= 0) {
        throw new KairosConfigurationException(
            TaskMethodReader.capital(place)
                + (isTime ? " takes two times." : " takes two payloads."),
            "Let it take at most one payload, such as a record, and at most one Duration or"
                + " Instant.");
      }
      if (isTime) {
        due = i;
      } else {
        payload = i;
      }
    }
    Class<?> returned = method.getReturnType();
    if (returned != void.class && returned != TaskId.class) {
      throw new KairosConfigurationException(
          "%s returns %s, and the task has no result yet when it is scheduled."
              .formatted(TaskMethodReader.capital(place), returned.getSimpleName()),
          "Let it return TaskId or nothing.");
    }
    return new TaskCall(
        handler,
        payload,
        due,
        reader.duration(task.delay(), place),
        task.attempts(),
        returned == TaskId.class);
  }

  /**
   * What a call of a method means.
   *
   * @param payload position of the payload, negative for none
   * @param due position of the time, negative for none
   */
  private record TaskCall(
      String handler,
      int payload,
      int due,
      @Nullable Duration delay,
      int attempts,
      boolean isReturningId) {
    @Nullable TaskId schedule(KairosTemplate template, @Nullable Object[] arguments) {
      TaskRequest.Builder task = template.task(handler, payload < 0 ? null : arguments[payload]);
      if (attempts > 0) {
        task.retryPolicy(RetryPolicy.attempts(attempts));
      }
      if (due >= 0) {
        Object time = requireNonNull(arguments[due], "the time is null");
        if (time instanceof Instant instant) {
          task.runAt(instant);
        } else {
          task.delay((Duration) time);
        }
      } else if (delay != null) {
        task.delay(delay);
      }
      TaskId id = template.schedule(task.build());
      return isReturningId ? id : null;
    }
  }
}
