package io.bloomkit.format;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/**
 * Finds the kinds of filters on the class path or module path: those whose {@link FilterProvider}
 * the {@link ServiceLoader} sees through the context class loader of the thread.
 *
 * <p>Each call looks anew, which costs some hundred kilobytes of garbage: keep the result where
 * many files are read.
 */
public final class FilterKinds {

  private FilterKinds() {}

  /**
   * Returns all kinds, in the order of their codes.
   *
   * @throws ServiceConfigurationError if a provider cannot be loaded
   */
  public static List<FilterKind> installed() {
    return providers()
        .flatMap(provider -> provider.kinds().stream())
        .sorted(Comparator.comparingInt(kind -> kind.variant().code()))
        .toList();
  }

  /**
   * Returns the kind of a variant, or empty if no installed module has it.
   *
   * @throws ServiceConfigurationError if a provider cannot be loaded
   */
  public static Optional<FilterKind> of(FilterVariant variant) {
    return installed().stream().filter(kind -> kind.variant().code() == variant.code()).findFirst();
  }

  /** The variants of installed modules, for error messages: none if a provider is broken. */
  static List<FilterVariant> variants() {
    return Variants.KNOWN;
  }

  /** Looked up once, since a reader of hostile bytes must not allocate for each message. */
  private static final class Variants {

    static final List<FilterVariant> KNOWN = find();

    private static List<FilterVariant> find() {
      try {
        return providers()
            .flatMap(
                provider ->
                    Stream.concat(
                        provider.kinds().stream().map(FilterKind::variant),
                        provider.otherVariants().stream()))
            .toList();
      } catch (ServiceConfigurationError e) {
        return List.of();
      }
    }
  }

  private static Stream<FilterProvider> providers() {
    return ServiceLoader.load(FilterProvider.class).stream().map(ServiceLoader.Provider::get);
  }
}
