/** Whether everything that a deployment names can be reached and is as it must be. */
package io.cellmesh.operations.check;
