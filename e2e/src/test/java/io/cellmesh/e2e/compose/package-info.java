/**
 * Tests of docker-compose.yml and of the module testcontainers, wherever a Docker engine answers.
 */
package io.cellmesh.e2e.compose;
