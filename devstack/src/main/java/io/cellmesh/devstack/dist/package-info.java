/**
 * Finds a MySQL server to run, and fetches one once where there is none: the distribution, the
 * system libraries it needs, and a data directory to copy from, all in a cache in the user's home.
 */
package io.cellmesh.devstack.dist;
