/** What is seen of a cell after it was produced. */
package io.cellmesh.operations.put;
