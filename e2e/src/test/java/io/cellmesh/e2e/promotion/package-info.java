/**
 * A master is changed while cells flow: nothing that was secured is lost, put out of order or taken
 * back, whatever becomes of the old master, of the command, and of workers that know no better.
 */
package io.cellmesh.e2e.promotion;
