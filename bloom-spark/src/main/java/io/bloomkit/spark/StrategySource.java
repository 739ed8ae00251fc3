package io.bloomkit.spark;

import io.bloomkit.hash.HashStrategy;
import java.io.Serializable;
import java.util.function.Supplier;

/**
 * Tells every machine which strategy to take, such as {@code HashStrategies::utf8}. Strategies are
 * not serializable; a reference to the method that makes one is.
 *
 * <p>What a lambda captures travels with the task. So does a secret key, unless the lambda reads it
 * where it runs.
 *
 * @param <T> the type of the elements
 */
@FunctionalInterface
public interface StrategySource<T> extends Supplier<HashStrategy<? super T>>, Serializable {}
