/** Control groups, and what else holds containers to their limits. */
@NullMarked
package dev.vertlet.host.cgroup;

import org.jspecify.annotations.NullMarked;
