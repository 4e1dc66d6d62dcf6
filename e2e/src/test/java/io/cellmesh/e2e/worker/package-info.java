/**
 * Workers before the whole system, through the Java client: what they tell is true, whatever fails.
 */
package io.cellmesh.e2e.worker;
