package io.kairos.spring;

import io.kairos.client.ScheduleSpec;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ReflectionUtils;

/**
 * The handlers and schedules that methods of beans are. They are looked for when all singletons are
 * there, because only then the classes of all beans are known. Who asks before gets those of which
 * the class is known. Thread-safe.
 */
final class TaskMethods implements SmartInitializingSingleton {
  private final ConfigurableListableBeanFactory beans;
  private final TaskMethodReader reader;

  /** Null before all singletons are there. */
  private volatile @Nullable Found found;

  /** What beans have. */
  private record Found(Map<String, TaskMethod> handlers, Map<String, DeclaredSchedule> schedules) {}

  /**
   * A schedule that a method has.
   *
   * @param name within the application
   * @param place bean and method, for people
   * @param rule the schedule under a full name
   */
  record DeclaredSchedule(String name, String place, Function<String, ScheduleSpec> rule) {}

  TaskMethods(ConfigurableListableBeanFactory beans, TaskMethodReader reader) {
    this.beans = beans;
    this.reader = reader;
  }

  @Override
  public void afterSingletonsInstantiated() {
    found = find();
  }

  Optional<TaskMethod> handler(String name) {
    return Optional.ofNullable(found().handlers.get(name));
  }

  /** Returns the handlers by name. */
  Collection<TaskMethod> handlers() {
    return found().handlers.values();
  }

  /** Returns the schedules by name. */
  Collection<DeclaredSchedule> schedules() {
    return found().schedules.values();
  }

  private Found found() {
    Found present = found;
    return present == null ? find() : present;
  }

  private Found find() {
    Found all = new Found(new TreeMap<>(), new TreeMap<>());
    for (String bean : beans.getBeanNamesForType(Object.class, true, false)) {
      Class<?> type =
          ScopedProxyUtils.isScopedTarget(bean)
              ? null
              : AutoProxyUtils.determineTargetClass(beans, bean);
      if (type != null
          && AnnotationUtils.isCandidateClass(
              type, List.of(KairosHandler.class, KairosSchedule.class))) {
        for (Method method : annotated(type)) {
          add(bean, type, method, all);
        }
      }
    }
    return all;
  }

  private static List<Method> annotated(Class<?> type) {
    List<Method> methods =
        new ArrayList<>(
            MethodIntrospector.selectMethods(
                type,
                (Method method) ->
                    AnnotatedElementUtils.hasAnnotation(method, KairosHandler.class)
                        || AnnotatedElementUtils.hasAnnotation(method, KairosSchedule.class)));
    methods.sort((one, other) -> one.toString().compareTo(other.toString()));
    return methods;
  }

  private void add(String bean, Class<?> type, Method method, Found all) {
    KairosHandler handler = AnnotatedElementUtils.findMergedAnnotation(method, KairosHandler.class);
    KairosSchedule schedule =
        AnnotatedElementUtils.findMergedAnnotation(method, KairosSchedule.class);
    TaskMethod read =
        reader.read(bean, type, method, handler, schedule, place -> target(bean, method, place));
    unique(all.handlers.putIfAbsent(read.name(), read), read);
    if (schedule != null) {
      DeclaredSchedule declared = reader.schedule(read, schedule);
      DeclaredSchedule first = all.schedules.putIfAbsent(declared.name(), declared);
      if (first != null) {
        throw new KairosConfigurationException(
            "Two schedules have the name '%s': %s, and %s."
                .formatted(declared.name(), first.place(), declared.place()),
            "Give one of them another name.");
      }
    }
  }

  private static void unique(@Nullable TaskMethod first, TaskMethod second) {
    if (first != null) {
      throw new KairosConfigurationException(
          "Two handlers have the name '%s': %s, and %s."
              .formatted(second.name(), first.place(), second.place()),
          "Give one of them another name.");
    }
  }

  /** Calls go through the proxy of the bean, so that its {@code @Transactional} counts. */
  private TaskMethod.Target target(String bean, Method method, String place) {
    Object first = beans.getBean(bean);
    Method invocable;
    try {
      invocable = AopUtils.selectInvocableMethod(method, first.getClass());
    } catch (IllegalStateException e) {
      throw new KairosConfigurationException(
          "The proxy of the bean does not have " + place + ".",
          "Declare the method in an interface of the bean, or set spring.aop.proxy-target-class.",
          e);
    }
    if (AopUtils.isCglibProxy(first) && Modifier.isFinal(invocable.getModifiers())) {
      throw new KairosConfigurationException(
          place + " is final, and the proxy of the bean cannot pass it on.",
          "Make the method not final.");
    }
    ReflectionUtils.makeAccessible(invocable);
    return new TaskMethod.Target(
        beans.isSingleton(bean) ? () -> first : () -> beans.getBean(bean), invocable);
  }
}
