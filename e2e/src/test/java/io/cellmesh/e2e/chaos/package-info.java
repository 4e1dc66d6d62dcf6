/** The schedule of {@code cellmesh chaos}, as every build runs it. */
package io.cellmesh.e2e.chaos;
