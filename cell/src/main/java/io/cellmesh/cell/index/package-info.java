/**
 * The contract of secondary indexes: what a definition may say, how a JSON value becomes a typed
 * field, what stands in a record of {@code trips.index.NAME}, and how the cells of a row become
 * entries.
 *
 * <p>An index is a function of the cells (invariant 7): per row and column the cell with the
 * highest ref_key counts among those whose fields fit the definition. {@link
 * io.cellmesh.cell.index.IndexRow} is that function; whoever maintains or checks an index uses it.
 */
package io.cellmesh.cell.index;
