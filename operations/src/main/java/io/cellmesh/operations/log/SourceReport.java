package io.cellmesh.operations.log;

import java.util.Optional;

/** A source connector, how it is, and where. */
public record SourceReport(
    SourceConnector connector, SourceState state, Optional<SourceOffset> offset) {}
