/**
 * Everything that an operator does to an instance, as a library: an operation is told what to do,
 * tells a listener how far it is, and ends with a result or an {@link
 * io.cellmesh.operations.OperationException}. Nothing here prints, exits or knows the command line.
 */
package io.cellmesh.operations;
