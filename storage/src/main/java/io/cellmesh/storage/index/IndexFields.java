package io.cellmesh.storage.index;

import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.cell.index.IndexField;
import io.cellmesh.cell.index.MisfitException;

/** The fields of a definition as a query names them, and their values as it writes them. */
final class IndexFields {
  private static final int SHOWN = 40;

  private final IndexDefinition definition;

  IndexFields(IndexDefinition definition) {
    this.definition = definition;
  }

  /**
   * @throws IndexQueryException if there is none of the name
   */
  IndexField named(String name) {
    for (var field : definition.fields()) {
      if (field.name().equals(name)) {
        return field;
      }
    }
    throw new IndexQueryException(
        "%s: the index %s has no such field; it has %s"
            .formatted(
                shortened(name),
                definition.name(),
                definition.fields().stream().map(IndexField::name).toList()));
  }

  /**
   * The canonical text of a value.
   *
   * @throws IndexQueryException naming field, rule and value if the field's type does not take it
   */
  static String canonical(IndexField field, String text) {
    try {
      return field.type().parse(field.name(), text);
    } catch (MisfitException e) {
      throw new IndexQueryException("%s: \"%s\"".formatted(e.getMessage(), shortened(text)));
    }
  }

  /** As much of a text as a message shows. */
  static String shortened(String text) {
    return text.codePointCount(0, text.length()) <= SHOWN
        ? text
        : text.substring(0, text.offsetByCodePoints(0, SHOWN - 1)) + "…";
  }
}
