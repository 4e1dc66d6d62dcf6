/** IndexSinkConnector: the records of {@code trips.index.NAME} into the index tables. */
package io.cellmesh.connect.sink.index;
