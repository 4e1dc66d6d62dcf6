/** What each part of an instance may do on Kafka. */
package io.cellmesh.operations.grants;
