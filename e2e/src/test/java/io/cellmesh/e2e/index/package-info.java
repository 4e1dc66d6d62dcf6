/**
 * Indexes on a whole stack: built, switched and dropped under load, and through dying processes.
 */
package io.cellmesh.e2e.index;
