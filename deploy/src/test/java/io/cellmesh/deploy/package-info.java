/** Tests of what is applied to Kubernetes, none of which needs a cluster. */
package io.cellmesh.deploy;
