package io.cellmesh.operations.verify;

import io.cellmesh.cell.Cell;
import java.time.Instant;
import java.util.Optional;

/**
 * A record of {@code trips.cells} or {@code trips.mesh}.
 *
 * @param producedAt its timestamp
 * @param cell empty if the record breaks the contract
 */
record Ingested(String topic, int partition, long offset, Instant producedAt, Optional<Cell> cell) {

  /** Names the record in a message: by its cell, if it has one. */
  String name() {
    var place = topic + "-" + partition + "@" + offset;
    return cell.map(c -> c.key() + " (" + place + ")").orElse(place);
  }
}
