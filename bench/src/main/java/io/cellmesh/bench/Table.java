package io.cellmesh.bench;

/**
 * The one table of the peer and of the raw loop: an ever-growing key and the cell's fields, no
 * index beside the key. That is the fastest there is, and less than ours must do, whose tables know
 * each cell's key.
 */
final class Table {
  static final String DATABASE = "bench";

  private Table() {}

  static String[] create(String name) {
    return new String[] {
      "CREATE DATABASE IF NOT EXISTS " + DATABASE,
      """
      CREATE TABLE %s.%s (
        id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
        row_key CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        column_name VARCHAR(64) COLLATE utf8mb4_bin NOT NULL,
        ref_key BIGINT NOT NULL,
        body MEDIUMTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL
      ) ENGINE=InnoDB"""
          .formatted(DATABASE, name)
    };
  }
}
