package io.kairos.cli.option;

import java.time.DateTimeException;
import java.time.ZoneId;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A time zone by its name: {@code Europe/Berlin}. */
public final class ZoneName implements ITypeConverter<ZoneId> {
  @Override
  public ZoneId convert(String name) {
    try {
      return ZoneId.of(name);
    } catch (DateTimeException e) {
      throw new TypeConversionException("\"" + name + "\" is no time zone, such as Europe/Berlin");
    }
  }
}
