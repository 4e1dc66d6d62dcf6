/**
 * Batches of cells on their way between data centres over HTTP, byte by byte as {@code
 * docs/design/0027-mesh-transports.md} has them: whoever reads them notices every cut and every
 * byte that was changed.
 */
package io.cellmesh.deployment.wire;
