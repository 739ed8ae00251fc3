package io.bloomkit.spark;

import io.bloomkit.hash.HashStrategy;
import java.io.Serializable;
import java.util.function.Supplier;

/**
 * A serializable supplier of a hash strategy, such as {@code HashStrategies::utf8}. Strategies
 * themselves are not serializable.
 *
 * <p>It is called on the driver and on every executor, more than once, and must always return a
 * strategy with the same hashes. Spark sends the variables that a lambda captures to the executors,
 * including a secret key. To keep a key out of the task, let the lambda read it, for example from a
 * file that exists on the driver and on every executor.
 *
 * @param <T> the type of the elements
 */
@FunctionalInterface
public interface StrategySource<T> extends Supplier<HashStrategy<? super T>>, Serializable {}
