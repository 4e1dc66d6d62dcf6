package io.cellmesh.storage;

import io.cellmesh.cell.CellKey;
import java.util.Optional;
import java.util.UUID;

/**
 * A conflict as the ledger has it: which record was refused, and what its cell met (invariants 3
 * and 11).
 *
 * @param kept digest of the body that stays, SHA-256 in hex
 * @param refused digest of the body that came second
 * @param keptOrigin data centre where the cell that stays was first written
 * @param refusedOrigin data centre of the one that came second
 * @param record that was refused; empty once it is told, and where only a copy of its cell was left
 */
public record Decision(
    Place place,
    IngestTopic topic,
    CellKey key,
    String kept,
    String refused,
    String keptOrigin,
    String refusedOrigin,
    Optional<RefusedRecord> record) {

  /** The reason to tell: the key, the rule and both digests, never a body. */
  public String reason() {
    return "body: the cell %s exists with another body; kept sha256:%s, refused sha256:%s"
        .formatted(key, kept, refused);
  }

  /**
   * Where a record stands in Kafka, for ever: a topic that is made again under its name has another
   * id.
   *
   * @param topicId Kafka's id of the topic
   */
  public record Place(UUID topicId, int partition, long offset) {}
}
