package io.kairos.spring;

import io.kairos.client.TaskRequest;
import io.kairos.client.TaskType;
import io.kairos.client.handler.HandlerOptions;
import io.kairos.client.handler.TaskContext;
import io.kairos.client.task.PayloadCodec;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A method that performs tasks.
 *
 * @param name name of the handler
 * @param place bean and method, for people
 * @param target the bean and its method, asked for when the application has started
 * @param parameters number of parameters
 * @param payload position of the payload among them, negative for none
 * @param context position of the context among them, negative for none
 * @param check throws for a payload that is not valid
 * @param results form of what the method returns, if it returns something
 * @param defaults fields of tasks
 */
record TaskMethod(
    String name,
    String place,
    Supplier<Target> target,
    int parameters,
    int payload,
    int context,
    PayloadCodec<Object> codec,
    Consumer<Object> check,
    PayloadCodec<Object> results,
    Consumer<TaskRequest.Builder> defaults,
    HandlerOptions options) {
  /**
   * A method, and the bean to call it on.
   *
   * @param bean returns another bean for each call if the scope of the bean says so
   */
  record Target(Supplier<Object> bean, Method method) {
    @Nullable Object invoke(@Nullable Object[] arguments) throws Exception {
      try {
        return method.invoke(bean.get(), arguments);
      } catch (InvocationTargetException e) {
        Throwable thrown = e.getCause();
        if (thrown instanceof Error error) {
          throw error;
        }
        throw thrown instanceof Exception exception ? exception : e;
      }
    }
  }

  TaskType<Object> type() {
    return TaskType.of(name, codec).defaults(defaults);
  }

  KairosMode.Registration registration() {
    Target bound = target.get();
    return new KairosMode.Registration(
        name, codec, results, (value, attempt) -> perform(bound, value, attempt), options);
  }

  private @Nullable Object perform(Target bound, Object value, TaskContext attempt)
      throws Exception {
    @Nullable Object[] arguments = new @Nullable Object[parameters];
    if (payload >= 0) {
      check.accept(value);
      arguments[payload] = value;
    }
    if (context >= 0) {
      arguments[context] = attempt;
    }
    return bound.invoke(arguments);
  }
}
