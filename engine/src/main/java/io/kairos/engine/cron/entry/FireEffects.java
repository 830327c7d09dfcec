package io.kairos.engine.cron.entry;

import io.kairos.domain.cron.AgreedTime;
import io.kairos.domain.cron.Tick;
import io.kairos.domain.cron.outbox.EffectOutbox;
import io.kairos.domain.pool.PushRequest;
import io.kairos.domain.task.queue.PoolName;
import io.kairos.engine.cron.module.ModuleEffects;
import java.time.Duration;

/** Collects the effect of one run of an entry. Not usable after the run. */
final class FireEffects implements ModuleEffects {
  private final EffectOutbox outbox;
  private final Tick tick;
  private final int position;
  private final AgreedTime at;
  private boolean isOver;

  FireEffects(EffectOutbox outbox, Tick tick, int position, AgreedTime at) {
    this.outbox = outbox;
    this.tick = tick;
    this.position = position;
    this.at = at;
  }

  @Override
  public void enqueueTask(String handler, byte[] payload, String key) {
    want(new EntryWork.EnqueueTask(handler, payload, key));
  }

  @Override
  public void postMessage(String topic, byte[] key, byte[] value, Duration delay) {
    want(new EntryWork.PostMessage(topic, key, value, delay));
  }

  @Override
  public void push(String url, String contentType, byte[] body) {
    want(new EntryWork.Push(url, contentType, body));
  }

  @Override
  public void pushToPool(String pool, PushRequest request, String key) {
    want(new EntryWork.PushToPool(new PoolName(pool), request, key));
  }

  void want(EntryWork.Outside work) {
    if (isOver) {
      throw new IllegalStateException("the run is over: it can have no effect any more");
    }
    if (!(at instanceof AgreedTime.At(var fire))) {
      throw new IllegalStateException("without agreed time a run can have no effect");
    }
    outbox.put(tick, position, work.asking(), new EffectBody(work, fire).encode());
  }

  void end() {
    isOver = true;
  }
}
