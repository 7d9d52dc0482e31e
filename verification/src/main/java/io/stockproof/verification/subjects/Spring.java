package io.stockproof.verification.subjects;

import io.stockproof.verification.Subject;
import javax.sql.DataSource;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.annotation.AnnotationTransactionAttributeSource;
import org.springframework.transaction.interceptor.TransactionInterceptor;

/** What a Spring application context does with a bean that has {@code @Transactional} methods. */
final class Spring {
  private Spring() {}

  /**
   * Spring's own proxy around the bean: each call of a {@code @Transactional} method is one
   * transaction, which is over when the call returns.
   */
  static Subject.Instance transactional(Subject.Instance bean, DataSource dataSource) {
    TransactionManager manager = new JdbcTransactionManager(dataSource);
    ProxyFactory factory = new ProxyFactory(bean);
    factory.addAdvice(
        new TransactionInterceptor(manager, new AnnotationTransactionAttributeSource()));
    return (Subject.Instance) factory.getProxy(Spring.class.getClassLoader());
  }
}
