/**
 * The life of an index while everybody goes on: built beside what serves, verified, switched to,
 * dropped.
 */
package io.cellmesh.operations.index;
