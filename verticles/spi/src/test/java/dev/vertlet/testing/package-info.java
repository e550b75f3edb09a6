/** Builders, providers and a cluster that tests of several packages need. */
@NullMarked
package dev.vertlet.testing;

import org.jspecify.annotations.NullMarked;
