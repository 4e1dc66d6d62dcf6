/** The topics and databases of an instance. */
package io.cellmesh.operations.instance;
