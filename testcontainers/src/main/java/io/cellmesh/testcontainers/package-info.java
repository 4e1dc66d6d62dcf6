/** An instance of Cellmesh in containers, for tests. */
package io.cellmesh.testcontainers;
