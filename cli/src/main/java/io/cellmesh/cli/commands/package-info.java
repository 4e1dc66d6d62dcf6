/** One class a command: reads its options, calls the parts that do the work, shows the result. */
package io.cellmesh.cli.commands;
