package io.cellmesh.cell;

/**
 * The table of a shard's cells. The sink writes it and the source decodes its row events, so its
 * definition is part of the contract; it never changes, which is why a new form of body has a
 * version byte of its own.
 *
 * <p>{@code origin} is always filled; {@code origin_id} is null for a cell that was first written
 * in this data centre, whose added_id is its origin_id. {@code created_at} is UTC.
 */
public final class EntitySchema {
  public static final String TABLE = "entity";

  /** To be created in the database of a shard ({@link Names#database}). */
  public static final String CREATE_TABLE =
      """
      CREATE TABLE IF NOT EXISTS entity (
        added_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
        row_key BINARY(16) NOT NULL,
        column_name VARCHAR(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin NOT NULL,
        ref_key BIGINT NOT NULL,
        body MEDIUMBLOB NOT NULL,
        origin VARCHAR(48) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        origin_id BIGINT UNSIGNED NULL,
        created_at DATETIME(6) NOT NULL,
        UNIQUE KEY cell (row_key, column_name, ref_key)
      ) ENGINE=InnoDB""";

  private EntitySchema() {}
}
