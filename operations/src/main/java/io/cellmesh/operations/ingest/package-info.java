/** Whether the ingest topics still are what the positions of the storage clusters say. */
package io.cellmesh.operations.ingest;
