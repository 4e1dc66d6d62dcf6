package io.cellmesh.storage.index;

import io.cellmesh.cell.LogRecord;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * An entry that a query found.
 *
 * @param fields the canonical text of each selected field, in the order of the selection; null
 *     where the entry has none
 * @param cells the row's cells that the query asked for, by column and ref_key
 */
public record IndexHit(UUID rowKey, Map<String, String> fields, List<LogRecord> cells) {}
