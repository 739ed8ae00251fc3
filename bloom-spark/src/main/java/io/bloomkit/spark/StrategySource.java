package io.bloomkit.spark;

import io.bloomkit.hash.HashStrategy;
import java.io.Serializable;
import java.util.function.Supplier;

/**
 * A serializable supplier of a hash strategy, such as {@code HashStrategies::utf8}. Strategies
 * themselves are not serializable.
 *
 * <p>The variables that a lambda captures are sent with the task. That includes a secret key,
 * unless the lambda reads it on the executor.
 *
 * @param <T> the type of the elements
 */
@FunctionalInterface
public interface StrategySource<T> extends Supplier<HashStrategy<? super T>>, Serializable {}
