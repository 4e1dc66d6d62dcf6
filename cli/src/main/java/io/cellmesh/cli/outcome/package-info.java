/** How commands end: their exit codes, and failures that are told without a stack trace. */
package io.cellmesh.cli.outcome;
