/** Ratios between two subjects of a comparison, held against those that were committed. Pure. */
@NullMarked
package dev.vertlet.harness.baseline;

import org.jspecify.annotations.NullMarked;
