/** What the buffers hold for whom, put together from all servers of a data centre. */
package io.cellmesh.operations.buffer;
