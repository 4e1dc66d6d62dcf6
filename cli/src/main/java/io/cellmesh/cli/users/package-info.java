/** Who commands and connectors are to the MySQL servers. */
package io.cellmesh.cli.users;
