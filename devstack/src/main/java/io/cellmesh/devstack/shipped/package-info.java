/**
 * What a user gets besides the code: the configurations of connectors, and for tests to look at
 * pages, tables and archives.
 */
package io.cellmesh.devstack.shipped;
