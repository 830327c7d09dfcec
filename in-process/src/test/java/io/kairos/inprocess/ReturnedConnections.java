package io.kairos.inprocess;

import static java.util.Objects.requireNonNull;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/** A pool as far as it keeps connections open that come back. */
final class ReturnedConnections extends PGSimpleDataSource {
  private static final long serialVersionUID = 1L;

  private final transient DataSource source;
  private final transient List<Connection> idle = new ArrayList<>();

  ReturnedConnections(DataSource source) {
    this.source = source;
  }

  synchronized List<Connection> idle() {
    return List.copyOf(idle);
  }

  private synchronized void back(Connection connection) {
    idle.add(connection);
  }

  @Override
  public Connection getConnection() throws SQLException {
    synchronized (this) {
      if (!idle.isEmpty()) {
        return wrapped(idle.removeLast());
      }
    }
    return wrapped(source.getConnection());
  }

  private static Object other(Object @Nullable [] arguments) {
    return requireNonNull(arguments)[0];
  }

  @SuppressWarnings("ReferenceEquality") // as Object does
  private Connection wrapped(Connection connection) {
    return (Connection)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {Connection.class},
            (self, method, arguments) -> {
              switch (method.getName()) {
                case "close" -> {
                  back(connection);
                  return null;
                }
                case "equals" -> {
                  return other(arguments) == self;
                }
                case "hashCode" -> {
                  return System.identityHashCode(self);
                }
                default -> {
                  try {
                    return method.invoke(connection, arguments);
                  } catch (InvocationTargetException e) {
                    throw e.getCause();
                  }
                }
              }
            });
  }
}
