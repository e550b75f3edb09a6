/** Checks the ratios between two subjects of a comparison against committed ratios. Pure. */
@NullMarked
package dev.vertlet.harness.baseline;

import org.jspecify.annotations.NullMarked;
