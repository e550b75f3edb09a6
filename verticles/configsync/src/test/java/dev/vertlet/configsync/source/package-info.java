@NullMarked
package dev.vertlet.configsync.source;

import org.jspecify.annotations.NullMarked;
