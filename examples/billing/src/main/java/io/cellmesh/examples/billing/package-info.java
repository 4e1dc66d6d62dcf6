/** The example of Uber's article of 2016: a trip is billed when its BASE cell is written. */
package io.cellmesh.examples.billing;
