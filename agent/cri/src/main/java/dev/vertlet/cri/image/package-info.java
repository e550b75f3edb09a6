/** Images that the runtime needs itself. */
@NullMarked
package dev.vertlet.cri.image;

import org.jspecify.annotations.NullMarked;
