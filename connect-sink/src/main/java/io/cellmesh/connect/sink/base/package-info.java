/**
 * What both sinks share: their settings, the executor of their work on primaries, the way of
 * rejected records to the dead-letter topic, and their metrics.
 */
package io.cellmesh.connect.sink.base;
