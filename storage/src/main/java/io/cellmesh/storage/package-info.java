/**
 * MySQL access: the schema of an instance, connection pools with a circuit breaker a server, and
 * the tables that cells, positions and copies live in. Each table has one class; the order in which
 * they are written is the business of the sink.
 */
package io.cellmesh.storage;
