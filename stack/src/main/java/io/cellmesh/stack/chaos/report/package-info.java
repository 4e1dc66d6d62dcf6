/** What a run of chaos prints. */
package io.cellmesh.stack.chaos.report;
