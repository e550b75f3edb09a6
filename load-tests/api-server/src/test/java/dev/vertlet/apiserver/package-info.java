/** Tests of what only an embedded server can do: faults, direct access, being suspended. */
@NullMarked
package dev.vertlet.apiserver;

import org.jspecify.annotations.NullMarked;
