/** Tests of docker-compose.yml, wherever a Docker engine answers. */
package io.cellmesh.e2e.compose;
