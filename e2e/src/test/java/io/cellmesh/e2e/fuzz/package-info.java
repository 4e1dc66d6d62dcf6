/**
 * Random and poisoned records through every pure function that a record passes, from a producer to
 * the sink of another data centre: nothing dies, and what one accepted the other accepts.
 */
package io.cellmesh.e2e.fuzz;
