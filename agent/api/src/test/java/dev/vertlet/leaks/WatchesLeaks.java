package dev.vertlet.leaks;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a test class about buffers and who releases them: Netty follows every buffer of it and
 * records each access. That costs a hundred times the work of the code itself, so all other classes
 * have Netty's samples only.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface WatchesLeaks {}
