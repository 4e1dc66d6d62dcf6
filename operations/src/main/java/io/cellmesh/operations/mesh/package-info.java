/** The links between data centres, as far as commands look at them and let them go on. */
package io.cellmesh.operations.mesh;
