/** The files in {@code connectors/}, filled in for a topology. */
package io.cellmesh.operations.connectors;
