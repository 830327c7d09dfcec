package io.kairos.edge.caller;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import io.kairos.api.v1.Access.Kind;
import io.kairos.api.v1.AccessProto;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds what a request names: the fields of its type, at any depth, that the protos mark with
 * {@code (names)}. Immutable.
 */
public final class NamedFields {
  /** Something that a request names. */
  public record Named(Kind kind, String name) {}

  /**
   * A field with a name, or one on the way to such fields.
   *
   * @param inner empty for a name
   */
  private record Place(FieldDescriptor field, Kind kind, List<Place> inner) {}

  private final List<Place> places;

  private NamedFields(List<Place> places) {
    this.places = places;
  }

  /** The fields of requests of this type. */
  public static NamedFields of(Descriptor type) {
    return new NamedFields(places(type, new HashSet<>()));
  }

  private static List<Place> places(Descriptor type, Set<Descriptor> outer) {
    List<Place> found = new ArrayList<>();
    if (outer.add(type)) {
      for (FieldDescriptor field : type.getFields()) {
        Kind kind = field.getOptions().getExtension(AccessProto.names);
        if (kind != Kind.KIND_UNSPECIFIED) {
          found.add(new Place(field, kind, List.of()));
        } else if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
          List<Place> inner = places(field.getMessageType(), outer);
          if (!inner.isEmpty()) {
            found.add(new Place(field, kind, inner));
          }
        }
      }
      outer.remove(type);
    }
    return List.copyOf(found);
  }

  /** The names in a request, in the order of its fields; without those that are left out. */
  public List<Named> in(Message request) {
    List<Named> found = new ArrayList<>();
    collect(request, places, found);
    return found;
  }

  private static void collect(Message message, List<Place> places, List<Named> found) {
    for (Place place : places) {
      if (place.field.isRepeated()) {
        for (int i = 0; i < message.getRepeatedFieldCount(place.field); i++) {
          collect(message.getRepeatedField(place.field, i), place, found);
        }
      } else if (place.inner.isEmpty() || message.hasField(place.field)) {
        collect(message.getField(place.field), place, found);
      }
    }
  }

  private static void collect(Object value, Place place, List<Named> found) {
    if (value instanceof Message inner) {
      collect(inner, place.inner, found);
    } else if (value instanceof String name && !name.isEmpty()) {
      found.add(new Named(place.kind, name));
    }
  }
}
