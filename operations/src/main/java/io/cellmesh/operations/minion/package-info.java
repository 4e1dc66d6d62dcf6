/** Gives a storage cluster another minion, or takes one out. */
package io.cellmesh.operations.minion;
