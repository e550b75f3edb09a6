/** What pods and containers use, as the runtime measures it. */
@NullMarked
package dev.vertlet.cri.stats;

import org.jspecify.annotations.NullMarked;
