package io.cellmesh.cell.index;

/** An index definition that can't be used; the message names the line where known, and the rule. */
public final class IndexDefinitionException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  public IndexDefinitionException(String message) {
    super(message);
  }

  IndexDefinitionException at(int line) {
    return new IndexDefinitionException("line " + line + ": " + getMessage());
  }
}
