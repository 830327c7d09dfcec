package io.kairos.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.client.task.TaskId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;

/** Interfaces outside of an application; that of {@code KairosTestTest} is found in one. */
class TaskInterfacesTest {
  interface Images {
    @KairosTask("resize")
    TaskId resize(byte[] picture);

    default TaskId resizeAll(List<byte[]> pictures) {
      return resize(pictures.get(0));
    }
  }

  interface Unnamed {
    @KairosTask
    void resize(String picture);
  }

  interface Unannotated {
    void resize(String picture);
  }

  interface TwoPayloads {
    @KairosTask("resize")
    void resize(String picture, int width);
  }

  interface TwoTimes {
    @KairosTask("resize")
    void resize(Duration one, Duration other);
  }

  interface OtherReturn {
    @KairosTask("resize")
    String resize(String picture);
  }

  interface OtherDelay {
    @KairosTask(name = "resize", delay = "soon")
    void resize(String picture);
  }

  @Test
  void default_methods_call_the_others() {
    List<String> calls = new ArrayList<>();

    TaskId id = bean(Images.class, calls).resizeAll(List.of(new byte[] {1}));

    assertThat(id).isNotNull();
    assertThat(calls).containsExactly("schedule 1");
  }

  static Stream<Arguments> refused() {
    return Stream.of(
        Arguments.of(Unnamed.class, "does not say which task it schedules. Give it @KairosTask"),
        Arguments.of(Unannotated.class, "does not say which task it schedules"),
        Arguments.of(TwoPayloads.class, "takes two payloads. Let it take at most one payload"),
        Arguments.of(TwoTimes.class, "takes two times"),
        Arguments.of(OtherReturn.class, "returns String, and the task has no result yet"),
        Arguments.of(OtherDelay.class, "has the length of time 'soon'. Write it like 5m"));
  }

  @ParameterizedTest
  @MethodSource("refused")
  void refused(Class<?> type, String why) {
    assertThatThrownBy(() -> bean(type, new ArrayList<>()))
        .isInstanceOf(KairosConfigurationException.class)
        .hasMessageContaining("The method resize of " + type.getName())
        .hasMessageContaining(why);
  }

  private static <T> T bean(Class<T> type, List<String> calls) {
    DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
    PayloadForms forms = new PayloadForms(null);
    TaskMethods methods =
        new TaskMethods(beans, new TaskMethodReader(text -> text, forms, PayloadValidation.NONE));
    KairosTemplate template =
        new KairosTemplate(
            new NotedMode(calls), methods, forms, TransactionJoin.NONE, ScheduleObservation.NONE);
    return new KairosTasksFactory<>(type, template, forms, beans).getObject();
  }
}
