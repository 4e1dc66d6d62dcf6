/**
 * {@code cellmesh.yaml}: where the servers of an instance are and how to sign on to them. Every
 * command and application opens one.
 */
package io.cellmesh.deployment;
