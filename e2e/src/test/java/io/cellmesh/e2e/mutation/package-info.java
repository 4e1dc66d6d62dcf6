/**
 * Breaks the path of a cell one line at a time, and looks whether the test that is to notice it
 * does ({@code e2e/bin/mutations}).
 */
package io.cellmesh.e2e.mutation;
