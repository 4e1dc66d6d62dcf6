package io.cellmesh.cell.index;

import com.fasterxml.jackson.databind.JsonNode;
import io.cellmesh.cell.Names;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * A field of a body that an index carries.
 *
 * @param path the names that lead to it, from the body inwards
 * @param type what it must be
 * @param name what it is called in the index; becomes a column of MySQL
 */
public record IndexField(List<String> path, FieldType type, String name) {
  private static final Pattern RESERVED = Pattern.compile("row_key|removed|version_[0-9]+");

  /**
   * @throws IndexDefinitionException if the name breaks a rule
   */
  public IndexField {
    path = List.copyOf(path);
    Objects.requireNonNull(type, "type");
    if (path.isEmpty() || path.contains("")) {
      throw new IndexDefinitionException(
          "field: \"%s\" is not a name or names joined by points"
              .formatted(String.join(".", path)));
    }
    if (!Names.INSTANCE.matcher(name).matches()) {
      throw new IndexDefinitionException(
          "field: the name \"%s\" is not 1 to 48 of a-z, 0-9 and _; give it one with `as`"
              .formatted(name));
    }
    if (RESERVED.matcher(name).matches()) {
      throw new IndexDefinitionException(
          "field: the name \"%s\" is reserved; give it another with `as`".formatted(name));
    }
  }

  /** A field called by its path, with {@code _} for the points. */
  public static IndexField of(String dottedPath, FieldType type) {
    return of(dottedPath, type, dottedPath.replace('.', '_'));
  }

  public static IndexField of(String dottedPath, FieldType type, String name) {
    return new IndexField(List.of(dottedPath.split("\\.", -1)), type, name);
  }

  /**
   * The canonical text of this field in a body, or null if the body does not have it.
   *
   * @throws MisfitException if what is there is not of the type, or if the path leads through
   *     something that is no object
   */
  String project(JsonNode body) throws MisfitException {
    var at = body;
    for (var step : path) {
      if (at == null || at.isNull()) {
        return null;
      }
      if (!at.isObject()) {
        throw new MisfitException(
            name, "an object is needed where the body has " + FieldType.kind(at));
      }
      at = at.get(step);
    }
    return at == null ? null : type.canonical(name, at);
  }
}
