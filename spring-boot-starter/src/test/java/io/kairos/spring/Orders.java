package io.kairos.spring;

import io.kairos.client.task.TaskId;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;

/** Business rows that are stored with tasks: an order, and the invoice that a task writes. */
class Orders {
  record Order(String id) {}

  private final JdbcTemplate jdbc;
  private final KairosTemplate kairos;

  Orders(JdbcTemplate jdbc, KairosTemplate kairos) {
    this.jdbc = jdbc;
    this.kairos = kairos;
  }

  @Transactional
  public TaskId place(String id, boolean isRefused) {
    jdbc.update("insert into orders (id) values (?)", id);
    TaskId task = kairos.schedule("write-invoice", new Order(id));
    if (isRefused) {
      throw new IllegalStateException("the order is refused");
    }
    return task;
  }

  @Transactional
  public TaskId misspell() {
    return kairos.schedule("write-invoices", new Order("1"));
  }

  @KairosHandler("write-invoice")
  @Transactional
  public String write(Order order) {
    int rows = jdbc.update("update orders set invoiced = true where id = ?", order.id());
    return order.id() + " " + rows;
  }
}
