/** Commands on a whole stack, whose connectors and applications are those of the build. */
package io.cellmesh.e2e.commands;
