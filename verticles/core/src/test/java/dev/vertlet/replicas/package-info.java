@NullMarked
package dev.vertlet.replicas;

import org.jspecify.annotations.NullMarked;
