package io.kairos.spring;

import io.kairos.client.ScheduleSpec;
import io.kairos.client.TaskRequest;
import io.kairos.client.handler.HandlerOptions;
import io.kairos.client.handler.TaskContext;
import io.kairos.client.task.PayloadCodec;
import io.kairos.client.task.RetryPolicy;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.core.GenericTypeResolver;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;
import org.springframework.util.StringValueResolver;

/** Reads what annotations and signatures of methods say, and refuses what cannot be so. */
final class TaskMethodReader {
  private static final String NAME = "[A-Za-z0-9._:/-]{1,128}";
  private static final List<String> ASYNCHRONOUS =
      List.of("org.reactivestreams.Publisher", "kotlinx.coroutines.flow.Flow");

  /** Annotations by which Spring has a method run later, on a thread of its own. */
  private static final List<String> ON_ANOTHER_THREAD =
      List.of(
          "org.springframework.scheduling.annotation.Async",
          "jakarta.ejb.Asynchronous",
          "jakarta.enterprise.concurrent.Asynchronous");

  private final StringValueResolver placeholders;
  private final PayloadForms forms;
  private final PayloadValidation validation;

  TaskMethodReader(
      StringValueResolver placeholders, PayloadForms forms, PayloadValidation validation) {
    this.placeholders = placeholders;
    this.forms = forms;
    this.validation = validation;
  }

  /**
   * Reads a method that has at least one of the annotations.
   *
   * @param own class of the bean
   * @param target returns the bean and its method, of a place
   */
  TaskMethod read(
      String bean,
      Class<?> own,
      Method method,
      @Nullable KairosHandler handler,
      @Nullable KairosSchedule schedule,
      Function<String, TaskMethod.Target> target) {
    String annotation = handler == null ? "@KairosSchedule" : "@KairosHandler";
    String place = place(bean, method);
    if (Modifier.isPrivate(method.getModifiers()) || Modifier.isStatic(method.getModifiers())) {
      boolean isPrivate = Modifier.isPrivate(method.getModifiers());
      throw new KairosConfigurationException(
          "%s has %s and is %s."
              .formatted(capital(place), annotation, isPrivate ? "private" : "static"),
          isPrivate
              ? "Make the method public, or at least visible in its package."
              : "Make it a method of the bean.");
    }
    Class<?> type = method.getDeclaringClass();
    int payload = -1;
    int context = -1;
    Parameter[] parameters = method.getParameters();
    for (int i = 0; i < parameters.length; i++) {
      if (parameters[i].getType() == TaskContext.class) {
        require(context < 0, place, annotation, "takes two contexts");
        context = i;
      } else {
        require(payload < 0, place, annotation, "takes two payloads");
        payload = i;
      }
    }
    requireEndsWhenItReturns(method, place);
    requireThisThread(method, "has", place);
    requireThisThread(own, "is in a class with", place);
    if (schedule != null && payload >= 0) {
      throw new KairosConfigurationException(
          "%s has @KairosSchedule and takes a payload, which nobody gives it."
              .formatted(capital(place)),
          "Let it take nothing, or a TaskContext.");
    }
    String name = name(handler, schedule, place);
    boolean isChecked = payload >= 0 && validation.isAskedFor(parameters[payload]);
    boolean returns = method.getReturnType() != void.class && method.getReturnType() != Void.class;
    return new TaskMethod(
        name,
        place,
        () -> target.apply(place),
        parameters.length,
        payload,
        context,
        payload < 0
            ? PayloadForms.none()
            : form(method.getGenericParameterTypes()[payload], type, place),
        isChecked ? validation::validate : value -> {},
        returns ? form(method.getGenericReturnType(), type, place) : PayloadForms.none(),
        handler == null ? task -> {} : defaults(handler, place),
        handler != null && handler.haltOnLostLease()
            ? HandlerOptions.HALT_JVM
            : HandlerOptions.DEFAULT);
  }

  /** Returns the schedule of a method that has been read. */
  TaskMethods.DeclaredSchedule schedule(TaskMethod method, KairosSchedule schedule) {
    String name = text(schedule.name());
    if (!name.matches("[A-Za-z0-9._/-]{1,100}")) {
      throw new KairosConfigurationException(
          "The schedule of %s has the name '%s'.".formatted(method.place(), name),
          "Give it 1 to 100 of letters, digits and . _ / -");
    }
    return new TaskMethods.DeclaredSchedule(
        name,
        method.place(),
        fullName ->
            ScheduleSpec.named(fullName)
                .cron(text(schedule.cron()))
                .zone(text(schedule.zone()))
                .overlap(schedule.overlap())
                .catchUp(schedule.catchUp())
                .task(method.type().task(new byte[0]).build())
                .build());
  }

  /** Returns a length of time; null for an empty text. */
  @Nullable Duration duration(String text, String place) {
    String resolved = text(text);
    if (resolved.isEmpty()) {
      return null;
    }
    try {
      return DurationStyle.detectAndParse(resolved);
    } catch (IllegalArgumentException e) {
      throw new KairosConfigurationException(
          "%s has the length of time '%s'.".formatted(capital(place), resolved),
          "Write it like 5m, 30s or PT5M.",
          e);
    }
  }

  String text(String text) {
    String resolved = placeholders.resolveStringValue(text);
    return resolved == null ? "" : resolved;
  }

  static String place(String bean, Method method) {
    return "the method %s(%s) of the bean '%s' (%s)"
        .formatted(
            method.getName(),
            Arrays.stream(method.getParameterTypes())
                .map(Class::getSimpleName)
                .collect(Collectors.joining(", ")),
            bean,
            method.getDeclaringClass().getName());
  }

  static String capital(String place) {
    return StringUtils.capitalize(place);
  }

  private String name(
      @Nullable KairosHandler handler, @Nullable KairosSchedule schedule, String place) {
    String name = handler == null ? "" : text(handler.name());
    if (name.isEmpty() && schedule != null) {
      name = text(schedule.name());
    }
    if (!name.matches(NAME)) {
      throw new KairosConfigurationException(
          "The handler of %s has %s."
              .formatted(place, name.isEmpty() ? "no name" : "the name '" + name + "'"),
          "Give it 1 to 128 of letters, digits and . _ : / -");
    }
    return name;
  }

  private PayloadCodec<Object> form(Type type, Class<?> declaring, String place) {
    try {
      return forms.of(GenericTypeResolver.resolveType(type, declaring));
    } catch (KairosConfigurationException e) {
      throw new KairosConfigurationException(
          capital(place) + " cannot be called. " + e.wrong(), e.action(), e);
    }
  }

  private Consumer<TaskRequest.Builder> defaults(KairosHandler handler, String place) {
    if (handler.attempts() < 0 || handler.priority() < 0 || handler.priority() > 100) {
      throw new KairosConfigurationException(
          "%s has attempts %d and priority %d."
              .formatted(capital(place), handler.attempts(), handler.priority()),
          "Attempts are 0 (those of the handler's policy) or more, priorities 0 to 100.");
    }
    Duration timeout = duration(handler.executionTimeout(), place);
    return task -> {
      task.priority(handler.priority());
      if (handler.attempts() > 0) {
        task.retryPolicy(RetryPolicy.attempts(handler.attempts()));
      }
      if (timeout != null) {
        task.executionTimeout(timeout);
      }
    };
  }

  private static void require(boolean holds, String place, String annotation, String what) {
    if (!holds) {
      throw new KairosConfigurationException(
          "%s has %s and %s.".formatted(capital(place), annotation, what),
          "Let it take at most one payload, such as a record, and at most one TaskContext.");
    }
  }

  private static void requireEndsWhenItReturns(Method method, String place) {
    Class<?> returned = method.getReturnType();
    boolean isLater =
        Future.class.isAssignableFrom(returned)
            || CompletionStage.class.isAssignableFrom(returned)
            || ClassUtils.getAllInterfacesForClassAsSet(returned).stream()
                .anyMatch(each -> ASYNCHRONOUS.contains(each.getName()))
            || ASYNCHRONOUS.contains(returned.getName());
    if (isLater) {
      throw new KairosConfigurationException(
          "%s returns a %s, and the task would have ended before its work."
              .formatted(capital(place), returned.getSimpleName()),
          "Wait in the method, and return the value.");
    }
  }

  private static void requireThisThread(AnnotatedElement element, String has, String place) {
    MergedAnnotations annotations =
        MergedAnnotations.from(element, MergedAnnotations.SearchStrategy.TYPE_HIERARCHY);
    for (String annotation : ON_ANOTHER_THREAD) {
      if (annotations.isPresent(annotation)) {
        throw new KairosConfigurationException(
            "%s %s @%s, and the task would have ended before its work."
                .formatted(capital(place), has, ClassUtils.getShortName(annotation)),
            "Remove it: handlers already run on threads of the worker.");
      }
    }
  }
}
