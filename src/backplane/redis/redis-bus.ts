import type { Bus } from '../../index.ts';
import type { RedisLink } from './redis-link.ts';
import type { RedisSubscriber } from './redis-subscriber.ts';

/** Published texts, sharded in a cluster. What is sent while an instance has no connection does not reach it. */
export class RedisBus implements Bus {
  readonly #link: RedisLink;
  readonly #subscriber: RedisSubscriber;

  constructor(link: RedisLink, subscriber: RedisSubscriber) {
    this.#link = link;
    this.#subscriber = subscriber;
  }

  publish(channel: string, text: string): Promise<void> {
    return this.#link.publish(this.#link.keys.of('bus', channel), text);
  }

  subscribe(channel: string, listener: (text: string) => void): Promise<() => void> {
    return this.#subscriber.subscribe(this.#link.keys.of('bus', channel), listener);
  }

  onGap(listener: () => void): () => void {
    return this.#subscriber.onGap(listener);
  }
}
