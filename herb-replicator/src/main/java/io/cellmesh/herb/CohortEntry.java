package io.cellmesh.herb;

import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/**
 * An instance as the file of a cohort lists it.
 *
 * @param deployment its {@code cellmesh.yaml}
 * @param datacenter this one, of those in the deployment; may be left out where there is one alone
 * @param peers those that this process has a link to; empty: every other data centre
 */
record CohortEntry(
    String instance,
    Path deployment,
    Optional<String> datacenter,
    Optional<Set<String>> peers,
    LinkLimits limits) {}
