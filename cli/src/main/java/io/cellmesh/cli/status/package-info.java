/** Whether the parts of a deployment answer. */
package io.cellmesh.cli.status;
