package io.bloomkit.testkit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * Marks long tests with the tag {@code deep} of JUnit and jqwik, by which a build excludes them.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Tag("deep")
@net.jqwik.api.Tag("deep")
public @interface Deep {}
