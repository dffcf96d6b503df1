import { expect, test } from '@jest/globals';
import { InMemoryBus } from '../../../src/runtime/peers/bus.ts';

test('a listener that ends takes no other with it, in whichever order they end', async () => {
  for (const isFirst of [true, false]) {
    const bus = new InMemoryBus();
    const received: string[] = [];
    const listen = (name: string) => bus.subscribe('news', (text) => received.push(`${name} ${text}`));
    const ends = [await listen('a'), await listen('b')];
    ends.at(isFirst ? 0 : 1)?.();
    await bus.publish('news', '1');
    const later = await listen('c');
    await bus.publish('news', '2');
    ends.at(isFirst ? 1 : 0)?.();
    await bus.publish('news', '3');
    later();
    await bus.publish('news', '4');
    const left = isFirst ? 'b' : 'a';
    expect(received).toEqual([`${left} 1`, `${left} 2`, 'c 2', 'c 3']);
  }
});
