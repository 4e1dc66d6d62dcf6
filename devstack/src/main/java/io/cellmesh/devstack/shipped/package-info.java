/** What a user gets besides the code, for tests to look at: pages, tables and archives. */
package io.cellmesh.devstack.shipped;
