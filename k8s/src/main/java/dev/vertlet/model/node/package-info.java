/** View of a Node and of its status, and the decoder of both. */
@NullMarked
package dev.vertlet.model.node;

import org.jspecify.annotations.NullMarked;
