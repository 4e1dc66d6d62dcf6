/** The topics of an instance. */
package io.cellmesh.cli.topics;
