/** The command {@code vertlet config}: shows the nodes' effective configs and assigns others. */
@NullMarked
package dev.vertlet.rollout;

import org.jspecify.annotations.NullMarked;
