package io.cellmesh.operations.conflict;

import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.RecordPosition;
import io.cellmesh.storage.ConflictKind;
import io.cellmesh.storage.ConflictListing.Entry;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/**
 * A decision with the place of the ledger that it stands in.
 *
 * @param cluster whose master has the ledger
 */
public record Conflict(String datacenter, String cluster, Entry entry) {
  /** Names the refused record for ever, as the worker's {@code Cellmesh-Position} does. */
  public RecordPosition identity() {
    return RecordPosition.of(datacenter, entry.topicId(), entry.partition(), entry.offset());
  }

  /**
   * Says where the two records come from, as this data centre sees it: {@code own} or {@code mesh}.
   */
  public String kind() {
    return ConflictKind.of(entry.keptOrigin(), entry.refusedOrigin(), datacenter)
        .name()
        .toLowerCase(Locale.ROOT);
  }

  /**
   * Says which of the two ingest topics the refused record came by: {@code cells} or {@code mesh}.
   */
  public String topic() {
    return entry.topic().name().toLowerCase(Locale.ROOT);
  }

  /** Of the refused record. */
  public int partition() {
    return entry.partition();
  }

  /** Of the refused record. */
  public long offset() {
    return entry.offset();
  }

  /** Names the cell. */
  public CellKey key() {
    return entry.key();
  }

  /** Digest of the body that stays, SHA-256 in hex. */
  public String kept() {
    return entry.kept();
  }

  /** Digest of the body that came second, SHA-256 in hex. */
  public String refused() {
    return entry.refused();
  }

  /** The data centre where the cell that stays was first written. */
  public String keptOrigin() {
    return entry.keptOrigin();
  }

  /** The data centre of the one that came second. */
  public String refusedOrigin() {
    return entry.refusedOrigin();
  }

  /** By the master's clock. */
  public Instant decidedAt() {
    return entry.decidedAt();
  }

  /** When the topic of rejected records got it; empty if it is not told yet. */
  public Optional<Instant> toldAt() {
    return entry.toldAt();
  }
}
