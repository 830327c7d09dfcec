package io.kairos.api;

import com.google.api.AnnotationsProto;
import com.google.api.HttpRule;
import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Label;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.MethodDescriptorProto;
import io.kairos.api.v1.AccessProto;
import io.kairos.api.v1.RestProto;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Writes down what callers rely on, one line each: name, number and type of each field and value,
 * request, answer, role and routes of each method. New elements are new lines, so a contract keeps
 * an older one when it has all of its lines.
 */
final class WireContract {
  private static final Pattern NUMBERED = Pattern.compile("(\\S+)\\.(\\w+) = (-?\\d+) .*");

  private final SortedSet<String> lines = new TreeSet<>();

  private WireContract() {}

  static SortedSet<String> of(List<FileDescriptorProto> files) {
    WireContract contract = new WireContract();
    files.forEach(contract::file);
    return contract.lines;
  }

  /**
   * The released lines that do not hold any more. A field or a value may go when its name and its
   * number are reserved.
   */
  static List<String> broken(Collection<String> released, Collection<String> now) {
    return released.stream().filter(line -> !now.contains(line) && !isReserved(line, now)).toList();
  }

  private static boolean isReserved(String line, Collection<String> now) {
    Matcher gone = NUMBERED.matcher(line);
    return gone.matches()
        && now.contains(reservation(gone.group(1), gone.group(2)))
        && now.contains(reservation(gone.group(1), gone.group(3)));
  }

  private static String reservation(@Nullable String owner, @Nullable Object what) {
    return owner + " reserves " + what;
  }

  private void file(FileDescriptorProto file) {
    file.getMessageTypeList().forEach(message -> message(file.getPackage(), message));
    file.getEnumTypeList().forEach(type -> enumeration(file.getPackage(), type));
    file.getExtensionList()
        .forEach(
            field -> lines.add(field(file.getPackage(), field) + " of " + field.getExtendee()));
    file.getServiceList()
        .forEach(service ->
            service
                .getMethodList()
                .forEach(
                    method -> method(file.getPackage() + "." + service.getName() + "/", method)));
  }

  private void message(String outer, DescriptorProto message) {
    String name = outer + "." + message.getName();
    for (FieldDescriptorProto field : message.getFieldList()) {
      boolean alternative = field.hasOneofIndex() && !field.getProto3Optional();
      lines.add(
          field(name, field)
              + (alternative
                  ? " in oneof " + message.getOneofDecl(field.getOneofIndex()).getName()
                  : ""));
    }
    message.getReservedNameList().forEach(each -> lines.add(reservation(name, each)));
    message
        .getReservedRangeList()
        .forEach(range -> reserve(name, range.getStart(), range.getEnd() - 1));
    message.getNestedTypeList().forEach(nested -> message(name, nested));
    message.getEnumTypeList().forEach(nested -> enumeration(name, nested));
  }

  private void enumeration(String outer, EnumDescriptorProto type) {
    String name = outer + "." + type.getName();
    type.getValueList()
        .forEach(
            each -> lines.add(name + "." + each.getName() + " = " + each.getNumber() + " value"));
    type.getReservedNameList().forEach(each -> lines.add(reservation(name, each)));
    type.getReservedRangeList().forEach(range -> reserve(name, range.getStart(), range.getEnd()));
  }

  private void reserve(String name, int first, int last) {
    IntStream.rangeClosed(first, last).forEach(each -> lines.add(reservation(name, each)));
  }

  private static String field(String owner, FieldDescriptorProto field) {
    String cardinality = field.getProto3Optional() ? "optional " : "";
    if (field.getLabel() == Label.LABEL_REPEATED) {
      cardinality = "repeated ";
    }
    String type =
        field.hasTypeName()
            ? field.getTypeName().substring(1)
            : field.getType().name().substring("TYPE_".length()).toLowerCase(Locale.ROOT);
    boolean json = field.getOptions().getExtension(RestProto.jsonValue);
    return owner
        + ("." + field.getName() + " = " + field.getNumber() + " " + cardinality + type)
        + (json ? " as JSON" : "");
  }

  private void method(String service, MethodDescriptorProto method) {
    String name = service + method.getName();
    lines.add(
        "%s takes %s%s, answers %s%s"
            .formatted(
                name,
                method.getClientStreaming() ? "a stream of " : "",
                method.getInputType().substring(1),
                method.getServerStreaming() ? "a stream of " : "",
                method.getOutputType().substring(1)));
    lines.add(name + " needs " + method.getOptions().getExtension(AccessProto.role));
    if (method.getOptions().hasExtension(AnnotationsProto.http)) {
      HttpRule rule = method.getOptions().getExtension(AnnotationsProto.http);
      route(name, rule);
      rule.getAdditionalBindingsList().forEach(more -> route(name, more));
    }
  }

  private void route(String method, HttpRule rule) {
    lines.add(
        method
            + " is at "
            + ApiPage.http(rule)
            + (rule.getBody().isEmpty() ? "" : " with the body " + rule.getBody()));
  }
}
