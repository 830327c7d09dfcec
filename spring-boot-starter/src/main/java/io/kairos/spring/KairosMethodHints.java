package io.kairos.spring;

import io.kairos.client.handler.TaskContext;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.aot.hint.annotation.ReflectiveProcessor;

/** What a native image must keep of a handler: its call, and what JSON reads and writes. */
final class KairosMethodHints implements ReflectiveProcessor {
  private final BindingReflectionHintsRegistrar bindings = new BindingReflectionHintsRegistrar();

  /** For Spring. */
  KairosMethodHints() {}

  @Override
  public void registerReflectionHints(ReflectionHints hints, AnnotatedElement element) {
    if (element instanceof Method method) {
      hints.registerMethod(method, ExecutableMode.INVOKE);
      for (Type parameter : method.getGenericParameterTypes()) {
        if (parameter != TaskContext.class) {
          bindings.registerReflectionHints(hints, parameter);
        }
      }
      if (method.getReturnType() != void.class) {
        bindings.registerReflectionHints(hints, method.getGenericReturnType());
      }
    }
  }
}
