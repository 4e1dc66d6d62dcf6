/**
 * Faults on purpose: a seeded schedule strikes a stack under a load of known cells, and what became
 * of every cell is told at the end.
 */
package io.cellmesh.stack.chaos;
