/** Producers that write structs. */
package io.cellmesh.e2e.converter;
