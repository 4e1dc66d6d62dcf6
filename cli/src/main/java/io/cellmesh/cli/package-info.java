/**
 * The command line {@code cellmesh}: its entry point, its exit codes and how a failure becomes a
 * message.
 */
package io.cellmesh.cli;
