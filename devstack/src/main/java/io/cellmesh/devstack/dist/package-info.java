/**
 * Finds a MySQL server to run, and fetches one once where there is none: the distribution, the
 * system libraries it needs, and a data directory to copy from; and Kafka's jars where no build has
 * gathered them. All of it lies in a cache in the user's home.
 */
package io.cellmesh.devstack.dist;
