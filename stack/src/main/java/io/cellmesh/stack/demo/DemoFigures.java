package io.cellmesh.stack.demo;

import io.cellmesh.operations.status.PipelineHop;
import io.cellmesh.operations.verify.Verification;
import io.cellmesh.topics.load.Loader;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What the demo measured.
 *
 * @param firstRecord from the start of the command to the first record of a log
 * @param everywhere from the first cell until the last one was everywhere
 * @param behind hops that had not fallen quiet
 * @param peakKibibytes of all processes together
 */
public record DemoFigures(
    Optional<Duration> firstRecord,
    Loader.Result loaded,
    Duration everywhere,
    List<PipelineHop> behind,
    List<Samples> hops,
    Verification verification,
    long peakKibibytes) {}
