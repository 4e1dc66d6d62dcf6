/** What the runs of chaos, simulation and mutations have shown, as a page. */
package io.cellmesh.e2e.reliability;
