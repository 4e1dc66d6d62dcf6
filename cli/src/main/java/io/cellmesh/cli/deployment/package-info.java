/** What is running where, as a command finds it. */
package io.cellmesh.cli.deployment;
