package io.cellmesh.operations.log;

import io.cellmesh.cell.LogOffset;
import java.util.Optional;

/**
 * A source connector, how it is, and how far it has come.
 *
 * @param offset that Connect has stored and that can be read
 * @param damage why what Connect has stored can't be read
 */
public record SourceStatus(
    SourceConnector connector,
    SourceState state,
    Optional<LogOffset> offset,
    Optional<String> damage) {}
