/**
 * Measurements against peers on the machine at hand: {@code ./cellmesh bench}. What is measured is
 * real processes, started for the measurement and gone after it; what is found is returned as
 * values, and the command line prints it.
 */
package io.cellmesh.bench;
