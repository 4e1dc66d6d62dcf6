/**
 * Who follows whom among the servers of a storage cluster, what each of them has, and the
 * statements that change it.
 */
package io.cellmesh.storage.replication;
