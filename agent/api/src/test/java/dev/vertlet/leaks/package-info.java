/** Finds what tests leave of Netty's buffers. */
@NullMarked
package dev.vertlet.leaks;

import org.jspecify.annotations.NullMarked;
