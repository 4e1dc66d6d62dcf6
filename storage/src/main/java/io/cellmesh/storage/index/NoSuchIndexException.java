package io.cellmesh.storage.index;

/** There is no index of the name that a query gives, or none that serves. */
public final class NoSuchIndexException extends IndexQueryException {
  private static final long serialVersionUID = 1L;

  NoSuchIndexException(String message) {
    super(message);
  }
}
