/** Address ranges and images of a simulated node. Pure. */
@NullMarked
package dev.vertlet.simulated.node;

import org.jspecify.annotations.NullMarked;
