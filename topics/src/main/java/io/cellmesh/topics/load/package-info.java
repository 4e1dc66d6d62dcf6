/** Where cells to load come from, and the producer that brings them into {@code trips.cells}. */
package io.cellmesh.topics.load;
