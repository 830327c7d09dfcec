package io.kairos.spring;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.Ordered;
import org.springframework.jdbc.datasource.JdbcTransactionObjectSupport;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionSynchronizationUtils;

/**
 * Knows of each transaction of the application's managers whether it has committed. Spring does not
 * say so: in {@code afterCommit}, in {@code afterCompletion} and in the default phase of {@code
 * TransactionalEventListener} a transaction is active and its connection bound as before, and
 * nobody commits again. Called on the threads of transactions.
 */
final class TransactionWatch implements BeanPostProcessor, TransactionExecutionListener {
  private static final Set<String> CALLS_AFTER_COMMIT =
      Set.of("invokeAfterCommit", "invokeAfterCompletion");

  /** What becomes of rows that are stored now on the connection of a transaction. */
  enum Phase {
    /** They are committed or rolled back with it. */
    RUNNING,
    /** It was committed or rolled back before. */
    ENDED,
    /**
     * One of these. The manager is no bean, and the caller is a synchronization that is called
     * after a commit, be it this one or that of a transaction around.
     */
    UNKNOWN
  }

  /** Begins with its transaction, so that it is the first to be called after the commit. */
  private static final class Watched implements TransactionSynchronization {
    private final Object holder;
    private boolean hasCommitted;

    Watched(Object holder) {
      this.holder = holder;
    }

    @Override
    public int getOrder() {
      return Ordered.HIGHEST_PRECEDENCE;
    }

    @Override
    public void afterCommit() {
      hasCommitted = true;
    }
  }

  @Override
  public Object postProcessAfterInitialization(Object bean, String name) {
    if (bean instanceof ConfigurableTransactionManager transactions) {
      transactions.addListener(this);
    }
    return bean;
  }

  @Override
  public void afterBegin(TransactionExecution transaction, @Nullable Throwable failure) {
    if (failure == null
        && transaction.isNewTransaction()
        && TransactionSynchronizationManager.isSynchronizationActive()
        && transaction instanceof DefaultTransactionStatus status
        && status.getTransaction() instanceof JdbcTransactionObjectSupport jdbc
        && jdbc.hasConnectionHolder()) {
      TransactionSynchronizationManager.registerSynchronization(
          new Watched(jdbc.getConnectionHolder()));
    }
  }

  /**
   * Returns the phase of the transaction in which this thread is.
   *
   * @param holder of its connection, as it is bound to the thread
   */
  @SuppressWarnings("ReferenceEquality") // each transaction has a holder of its own
  static Phase phase(Object holder) {
    if (!TransactionSynchronizationManager.isSynchronizationActive()) {
      return Phase.ENDED; // they are cleared before the first afterCompletion
    }
    for (TransactionSynchronization each :
        TransactionSynchronizationManager.getSynchronizations()) {
      if (each instanceof Watched watched && watched.holder == holder) {
        return watched.hasCommitted ? Phase.ENDED : Phase.RUNNING;
      }
    }
    return isCalledAfterCommit() ? Phase.UNKNOWN : Phase.RUNNING;
  }

  /** Spring has one place that calls synchronizations then, on the thread of the transaction. */
  private static boolean isCalledAfterCommit() {
    return StackWalker.getInstance()
        .walk(frames ->
            frames.anyMatch(frame ->
                CALLS_AFTER_COMMIT.contains(frame.getMethodName())
                    && frame
                        .getClassName()
                        .equals(TransactionSynchronizationUtils.class.getName())));
  }
}
