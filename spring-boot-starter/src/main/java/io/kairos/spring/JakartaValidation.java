package io.kairos.spring;

import io.kairos.client.handler.FatalFailure;
import jakarta.validation.ConstraintViolation;
import jakarta.validation.Valid;
import jakarta.validation.Validator;
import java.lang.reflect.Parameter;
import java.util.stream.Collectors;
import org.springframework.beans.factory.ObjectProvider;

/** Bean Validation of parameters with {@code @Valid}. */
final class JakartaValidation implements PayloadValidation {
  private final ObjectProvider<Validator> validators;

  JakartaValidation(ObjectProvider<Validator> validators) {
    this.validators = validators;
  }

  @Override
  public boolean isAskedFor(Parameter parameter) {
    boolean isAskedFor = parameter.isAnnotationPresent(Valid.class);
    if (isAskedFor && validators.getIfAvailable() == null) {
      throw new KairosConfigurationException(
          "The parameter " + parameter + " has @Valid, and the application has no Validator.",
          "Add spring-boot-starter-validation, or take @Valid away.");
    }
    return isAskedFor;
  }

  /** The error names places and rules and no value, because it is kept with the task. */
  @Override
  public void validate(Object payload) {
    String broken =
        validators.getObject().validate(payload).stream()
            .map(JakartaValidation::text)
            .sorted()
            .collect(Collectors.joining(", "));
    if (!broken.isEmpty()) {
      throw new FatalFailure(
          payload.getClass().getName() + " is not valid: " + broken,
          null,
          "jakarta.validation.ConstraintViolationException");
    }
  }

  private static String text(ConstraintViolation<?> violation) {
    return violation.getPropertyPath()
        + " breaks @"
        + violation.getConstraintDescriptor().getAnnotation().annotationType().getSimpleName();
  }
}
