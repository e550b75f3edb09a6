@NullMarked
package dev.vertlet.rollout;

import org.jspecify.annotations.NullMarked;
