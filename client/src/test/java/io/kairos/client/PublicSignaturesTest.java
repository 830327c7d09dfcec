package io.kairos.client;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Applications see the types of the client and not those of the wire, so that a change of the
 * protocol, or of the version of protobuf, is none of their code.
 */
public class PublicSignaturesTest {
  /** Public, with protobuf in every kind of signature. */
  public abstract static class Specimen<T extends com.google.protobuf.Message>
      implements Supplier<io.kairos.api.v1.Task> {
    public com.google.protobuf.ByteString field = com.google.protobuf.ByteString.EMPTY;

    protected Specimen(List<? extends io.kairos.api.v1.Task> tasks) {}

    protected abstract List<com.google.protobuf.ByteString[]> method();

    abstract com.google.protobuf.ByteString notPublic();
  }

  @Test
  void no_public_signature_of_the_client_has_a_type_of_protobuf() throws Exception {
    List<Class<?>> types = new ArrayList<>();
    Path classes = Path.of(location());
    try (Stream<Path> files = Files.walk(classes)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".class")).toList()) {
        String name =
            classes.relativize(file).toString().replace(file.getFileSystem().getSeparator(), ".");
        if (!name.endsWith("package-info.class")) {
          types.add(
              Class.forName(
                  name.substring(0, name.length() - ".class".length()),
                  false,
                  KairosClient.class.getClassLoader()));
        }
      }
    }

    assertThat(types).hasSizeGreaterThan(150);
    assertThat(types).flatMap(PublicSignaturesTest::signaturesOfTheWire).isEmpty();
  }

  private static URI location() throws URISyntaxException {
    CodeSource source = requireNonNull(KairosClient.class.getProtectionDomain().getCodeSource());
    return requireNonNull(source.getLocation()).toURI();
  }

  @Test
  void every_kind_of_signature_is_seen() {
    assertThat(signaturesOfTheWire(Specimen.class)).hasSize(5);
  }

  private static List<String> signaturesOfTheWire(Class<?> type) {
    List<String> signatures = new ArrayList<>();
    if (isSeen(type)) {
      Stream.of(type.getTypeParameters())
          .flatMap(variable -> bounds(variable))
          .forEach(bound -> signatures.add(type + " of " + bound));
      if (type.getGenericSuperclass() != null) {
        signatures.add(type + " extends " + type.getGenericSuperclass().getTypeName());
      }
      for (Type each : type.getGenericInterfaces()) {
        signatures.add(type + " implements " + each.getTypeName());
      }
      for (Field field : type.getDeclaredFields()) {
        if (isSeen(field.getModifiers())) {
          signatures.add(field.toGenericString());
        }
      }
      Stream.of(type.getDeclaredConstructors(), type.getDeclaredMethods())
          .flatMap(Stream::of)
          .filter(each -> isSeen(each.getModifiers()) && !each.isSynthetic())
          .forEach(each -> signatures.add(text(each)));
    }
    signatures.removeIf(signature ->
        !signature.contains("io.kairos.api.") && !signature.contains("com.google.protobuf."));
    return signatures;
  }

  private static String text(Executable executable) {
    StringBuilder text = new StringBuilder(executable.toGenericString());
    Stream.of(executable.getTypeParameters())
        .flatMap(PublicSignaturesTest::bounds)
        .forEach(bound -> text.append(' ').append(bound));
    return text.toString();
  }

  private static Stream<String> bounds(TypeVariable<?> variable) {
    return Stream.of(variable.getBounds()).map(Type::getTypeName);
  }

  private static boolean isSeen(Class<?> type) {
    for (Class<?> each = type; each != null; each = each.getEnclosingClass()) {
      if (!isSeen(each.getModifiers())) {
        return false;
      }
    }
    return !type.isAnonymousClass() && !type.isLocalClass();
  }

  private static boolean isSeen(int modifiers) {
    return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
  }
}
