/** Reading topics and offsets, as the commands need it. */
package io.cellmesh.cli.kafka;
