/** What a person sees: text, colour, tables and progress. The only place that prints. */
package io.cellmesh.terminal;
