package io.cellmesh.triggers;

import io.cellmesh.topics.trigger.CellAttempts;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * What is known of a partition when it is taken over.
 *
 * @param offset the committed one, where reading begins
 * @param metadata the commit's
 * @param parkedRows the rows that have a marker
 * @param attempts what was noted, by row
 */
record Assignment(
    long offset, String metadata, Set<UUID> parkedRows, Map<UUID, CellAttempts> attempts) {}
