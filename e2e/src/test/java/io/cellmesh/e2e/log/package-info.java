/**
 * The log against real servers: its order beside the binlog's own account, what becomes of it when
 * servers, workers and connections die, and how it is rebuilt.
 */
package io.cellmesh.e2e.log;
