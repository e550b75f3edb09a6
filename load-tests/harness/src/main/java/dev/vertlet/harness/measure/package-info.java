/** Resource usage of processes, measured from outside. */
@NullMarked
package dev.vertlet.harness.measure;

import org.jspecify.annotations.NullMarked;
