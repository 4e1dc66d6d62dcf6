/** The page docs/deploying.md, run as it stands there. */
package io.cellmesh.e2e.deploying;
