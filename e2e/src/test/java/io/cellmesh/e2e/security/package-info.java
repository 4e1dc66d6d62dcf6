/** TLS, one MySQL user a role, and secrets that stay where they are. */
package io.cellmesh.e2e.security;
