/** YAML whose values know their lines, so that a refusal can name them. */
package io.cellmesh.cell.yaml;
