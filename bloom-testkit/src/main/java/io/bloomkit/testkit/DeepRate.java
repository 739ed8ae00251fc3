package io.bloomkit.testkit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * Marks test classes whose tests of rates are long, or repeat those of another class. Their tag,
 * {@code deepRate}, lets a build exclude their tests with the tag {@code rate}.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag("deepRate")
@net.jqwik.api.Tag("deepRate")
public @interface DeepRate {}
