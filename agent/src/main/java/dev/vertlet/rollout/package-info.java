/** {@code vertlet config}: shows what nodes run by, and assigns them something else. */
@NullMarked
package dev.vertlet.rollout;

import org.jspecify.annotations.NullMarked;
