package io.cellmesh.storage;

import java.util.Optional;

/**
 * Which version an instance's tables have, and which this program knows. It is raised when tables
 * change in a way that an older program, or a newer one on the old tables, can't work with.
 *
 * @param number 1 for tables from before versions were written down
 * @param madeBy the version of the product that made the tables, or brought them there
 */
public record SchemaVersion(int number, String madeBy) {
  /** What this program writes and reads. */
  public static final int CURRENT = 2;

  /** The tables of the first releases, which do not tell their version. */
  static final SchemaVersion FIRST = new SchemaVersion(1, "a version before 0.1");

  /** The version of this product, from its jar's manifest. */
  static String product() {
    return Optional.ofNullable(SchemaVersion.class.getPackage().getImplementationVersion())
        .orElse("unpackaged");
  }

  /**
   * Refuses tables that this program does not know.
   *
   * @param place what to call the server
   * @throws SchemaVersionException saying what to do
   */
  void require(String place) {
    if (number < CURRENT) {
      throw new SchemaVersionException(
          "the tables of %s have version %d, this program needs %d: run `cellmesh instance upgrade --topology FILE`"
              .formatted(place, number, CURRENT));
    }
    if (number > CURRENT) {
      throw new SchemaVersionException(
          "the tables of %s have version %d, made by version %s of cellmesh, and this program knows versions up to %d: upgrade the program"
              .formatted(place, number, madeBy, CURRENT));
    }
  }
}
