/** How a data centre joins an instance: what is made there, seeds of logs that were cut, proof. */
package io.cellmesh.operations.mesh.joining;
