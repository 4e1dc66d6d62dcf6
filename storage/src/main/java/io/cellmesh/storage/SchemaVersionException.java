package io.cellmesh.storage;

/** An instance's tables are older or newer than this program; the message says which to upgrade. */
public final class SchemaVersionException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public SchemaVersionException(String message) {
    super(message);
  }
}
