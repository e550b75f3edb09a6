/**
 * Claims of a pool as its clients see them: the request, the wait, and the sandbox that answers it.
 */
@NullMarked
package dev.vertlet.sandbox.pool.claim;

import org.jspecify.annotations.NullMarked;
