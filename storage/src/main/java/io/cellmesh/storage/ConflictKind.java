package io.cellmesh.storage;

/** Where the two records of a conflict come from, as a data centre sees it. */
public enum ConflictKind {
  /** Both are of its own producers: one of them writes a key twice. */
  OWN,
  /** One came by the mesh at least: two data centres wrote a key, and keep what each had first. */
  MESH;

  /**
   * Tells the kind of a conflict.
   *
   * @param datacenter whose ledger it stands in
   */
  public static ConflictKind of(String keptOrigin, String refusedOrigin, String datacenter) {
    return keptOrigin.equals(datacenter) && refusedOrigin.equals(datacenter) ? OWN : MESH;
  }
}
