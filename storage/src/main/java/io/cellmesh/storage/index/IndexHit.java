package io.cellmesh.storage.index;

import java.util.Map;
import java.util.UUID;

/**
 * An entry that a query found.
 *
 * @param fields the canonical text of each selected field, in the order of the selection; null
 *     where the entry has none
 */
public record IndexHit(UUID rowKey, Map<String, String> fields) {}
