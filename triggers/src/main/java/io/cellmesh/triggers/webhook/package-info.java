/**
 * Posts the cells of a trigger over HTTP, each as a CloudEvent (version 1.0.2 of its HTTP binding,
 * binary mode).
 */
package io.cellmesh.triggers.webhook;
