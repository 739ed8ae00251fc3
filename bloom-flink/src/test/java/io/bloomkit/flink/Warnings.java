package io.bloomkit.flink;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.Logger;
import org.slf4j.helpers.MessageFormatter;

/** The warnings that the module has logged. */
public final class Warnings {

  private static final Queue<String> ALL = new ConcurrentLinkedQueue<>();

  /** Keeps warnings. */
  public static final Logger LOGGER =
      (Logger)
          Proxy.newProxyInstance(
              Warnings.class.getClassLoader(),
              new Class<?>[] {Logger.class},
              (proxy, method, arguments) -> {
                if (method.getName().equals("warn")) {
                  Object[] values =
                      arguments.length == 2 && arguments[1] instanceof Object[] all
                          ? all
                          : List.of(arguments).subList(1, arguments.length).toArray();
                  ALL.add(MessageFormatter.arrayFormat((String) arguments[0], values).getMessage());
                }
                return method.getReturnType() == boolean.class ? true : null;
              });

  private Warnings() {}

  /** Forgets all warnings. */
  static void clear() {
    ALL.clear();
  }

  /** Returns the warnings that contain some words. */
  static List<String> with(String words) {
    return ALL.stream().filter(warning -> warning.contains(words)).toList();
  }
}
