/** The archive that the build makes, as a user has it who unpacks it. */
package io.cellmesh.e2e.archive;
