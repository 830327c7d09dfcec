package io.kairos.edge.call;

import io.kairos.domain.pool.AllowList;
import io.kairos.domain.pool.PortList;
import io.kairos.domain.task.queue.PoolName;
import io.kairos.engine.pool.CompletionTokens;
import io.kairos.engine.pool.EndpointView;
import io.kairos.engine.pool.PoolEdge;
import io.kairos.engine.pool.port.StoredPool;
import io.kairos.engine.pool.port.UnreadablePool;
import io.kairos.model.pool.ModelPoolStore;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Pools in memory, which may be on this machine and below example.com. */
final class ScriptedPools implements PoolEdge {
  final List<EndpointView> endpoints = new CopyOnWriteArrayList<>();
  final Set<PoolName> known = ConcurrentHashMap.newKeySet();
  final AtomicInteger changes = new AtomicInteger();

  /** Names of stored pools that count as written by a later version. */
  final Set<PoolName> unreadable = ConcurrentHashMap.newKeySet();

  private final ModelPoolStore store =
      new ModelPoolStore(() -> Edge.NOW) {
        @Override
        public synchronized List<StoredPool> list(
            @Nullable PoolName after, int limit, BiConsumer<PoolName, RuntimeException> lost) {
          return super.list(after, limit, lost).stream()
              .filter(one -> isReadable(one.pool().name(), lost))
              .toList();
        }
      };
  private final CompletionTokens tokens = new CompletionTokens(new byte[32]);
  private final AtomicInteger secrets = new AtomicInteger();

  private boolean isReadable(PoolName name, BiConsumer<PoolName, RuntimeException> lost) {
    boolean readable = !unreadable.contains(name);
    if (!readable) {
      lost.accept(name, new UnreadablePool(name, new IllegalArgumentException("no routing X")));
    }
    return readable;
  }

  @Override
  public ModelPoolStore pools() {
    return store;
  }

  @Override
  public AllowList allowed() {
    return AllowList.of(List.of("127.0.0.0/8", "*.example.com"), PortList.DEFAULT);
  }

  @Override
  public CompletionTokens tokens() {
    return tokens;
  }

  @Override
  public Set<PoolName> known() {
    return known;
  }

  @Override
  public List<EndpointView> endpoints(PoolName name) {
    return endpoints;
  }

  /** Another one each time. */
  @Override
  public byte[] newSecret() {
    byte[] secret = new byte[32];
    secret[0] = (byte) secrets.incrementAndGet();
    return secret;
  }

  @Override
  public void poolsChanged() {
    changes.incrementAndGet();
  }
}
