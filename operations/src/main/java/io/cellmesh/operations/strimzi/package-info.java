/** The resources of Strimzi's operator that stand for an instance on Kubernetes. */
package io.cellmesh.operations.strimzi;
