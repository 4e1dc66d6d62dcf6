/** What a measurement prints. */
package io.cellmesh.bench.report;
