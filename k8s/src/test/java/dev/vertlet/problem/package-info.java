/** Tests of what is read of YAML, and what is not. */
@NullMarked
package dev.vertlet.problem;

import org.jspecify.annotations.NullMarked;
