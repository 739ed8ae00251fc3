package org.slf4j.impl;

import io.bloomkit.flink.Warnings;
import org.slf4j.ILoggerFactory;
import org.slf4j.helpers.NOPLogger;
import org.slf4j.spi.LoggerFactoryBinder;

/** Found by SLF4J 1.7: keeps the warnings of bloom-flink for tests, and ignores all else. */
public final class StaticLoggerBinder implements LoggerFactoryBinder {

  private static final StaticLoggerBinder SINGLETON = new StaticLoggerBinder();

  public static StaticLoggerBinder getSingleton() {
    return SINGLETON;
  }

  @Override
  public ILoggerFactory getLoggerFactory() {
    return name -> name.startsWith("io.bloomkit") ? Warnings.LOGGER : NOPLogger.NOP_LOGGER;
  }

  @Override
  public String getLoggerFactoryClassStr() {
    return StaticLoggerBinder.class.getName();
  }
}
