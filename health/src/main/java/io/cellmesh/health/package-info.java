/** How an application says how it is: a port with /health and /metrics, the same for each. */
package io.cellmesh.health;
