package io.cellmesh.storage.index;

/** A query that can't be asked of its index; the message names the field and the rule. */
public class IndexQueryException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  public IndexQueryException(String message) {
    super(message);
  }
}
