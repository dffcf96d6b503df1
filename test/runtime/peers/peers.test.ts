import { expect, jest, test } from '@jest/globals';
import { InMemoryBus, type Bus } from '../../../src/runtime/peers/bus.ts';
import { Peers } from '../../../src/runtime/peers/peers.ts';
import { MemoryLogger } from '../../support/memory-logger.ts';

const SECRETS = ['a secret of all instances'];

async function join(bus: Bus | undefined, name = 'app', secrets = SECRETS) {
  const logger = new MemoryLogger();
  return { peers: await Peers.join(bus, { name, secrets, logger }), logger };
}

const later = (): Promise<unknown> => new Promise(setImmediate);

test('reaches all others, and neither itself nor the instances of another application', async () => {
  const bus = new InMemoryBus();
  const heard: string[] = [];
  const members: Peers[] = [];
  for (const name of ['app', 'app', 'app', 'other']) {
    const { peers } = await join(bus, name);
    peers.on('news', (body) => void heard.push(`${name} ${String(members.indexOf(peers))} ${String(body)}`));
    members.push(peers);
  }
  void members[0]?.tell('news', 'hello');
  await later();
  expect(heard).toEqual(['app 1 hello', 'app 2 hello']);
});

test('brings an answer, null from one who has none, and nothing from one who is not there', async () => {
  const bus = new InMemoryBus();
  const [{ peers: one }, { peers: two }] = [await join(bus), await join(bus)];
  two.on('double', async (body) => Number(body) * 2);
  two.on('fail', () => {
    throw new Error('no');
  });
  expect(await Promise.all([1, 2, 3].map((each) => one.ask(two.instance, 'double', each)))).toEqual([
    2, 4, 6,
  ]);
  expect(await one.ask(two.instance, 'unknown', 1)).toBeNull();
  expect(await one.ask(two.instance, 'fail', 1)).toBeNull();
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'queueMicrotask', 'nextTick'] });
  const silence = one.ask('0123456789abcdef', 'double', 1);
  await later();
  jest.advanceTimersByTime(2000);
  expect(await silence).toBeUndefined();
  jest.useRealTimers();
  expect(one.isDoubtful).toBe(false);
});

test('texts are sealed: others with access to the bus can neither read nor write them', async () => {
  const bus = new InMemoryBus();
  const texts: string[] = [];
  const publish = bus.publish.bind(bus);
  bus.publish = (channel, text) => {
    texts.push(text);
    return publish(channel, text);
  };
  const heard: unknown[] = [];
  const [{ peers: one }, { peers: two }] = [await join(bus), await join(bus)];
  const { peers: stranger } = await join(bus, 'app', ['another secret']);
  two.on('news', (body) => void heard.push(body));
  void stranger.tell('news', 'forged');
  await bus.publish('app:instances:all', 'not sealed');
  void one.tell('news', 'a private word');
  await later();
  expect(heard).toEqual(['a private word']);
  expect(texts.join(' ')).not.toMatch(/private/);
});

test('a bus that fails is logged once, and what is asked then is refused', async () => {
  const bus = new InMemoryBus();
  const { peers, logger } = await join(bus);
  const { publish } = bus;
  bus.publish = () => Promise.reject(new Error('down'));
  for (let count = 0; count < 3; count += 1) void peers.tell('news', count);
  await expect(peers.ask('0123456789abcdef', 'news', 1)).rejects.toThrow('down');
  expect(peers.isDoubtful).toBe(true);
  bus.publish = publish;
  void peers.tell('news', 4);
  await later();
  // The others may not have connected again yet
  expect(peers.isDoubtful).toBe(true);
  expect(logger.records.map(({ level, event }) => `${level} ${event}`)).toEqual([
    'error backplane.bus-failed',
    'notice backplane.bus-failed',
  ]);
});

test('after a gap, silence says nothing', async () => {
  const gaps: (() => void)[] = [];
  const bus = new InMemoryBus();
  bus.onGap = ((listener: () => void) => {
    gaps.push(listener);
    return () => undefined;
  }) as InMemoryBus['onGap'];
  const { peers } = await join(bus);
  const seen: string[] = [];
  peers.onGap(() => void seen.push('gap'));
  expect(peers.isDoubtful).toBe(false);
  for (const gap of gaps) gap();
  expect([peers.isDoubtful, seen]).toEqual([true, ['gap']]);
});

test('an instance that has left gets nothing, and stops waiting', async () => {
  const bus = new InMemoryBus();
  const [{ peers: one }, { peers: two }] = [await join(bus), await join(bus)];
  const heard: unknown[] = [];
  two.on('news', (body) => void heard.push(body));
  const waiting = two.ask(one.instance, 'slow', 1);
  one.on('slow', () => new Promise(() => undefined));
  two.close();
  expect(await waiting).toBeUndefined();
  void one.tell('news', 1);
  await later();
  expect(heard).toEqual([]);
});

test('without a bus there is nobody to ask', async () => {
  const { peers } = await join(undefined);
  void peers.tell('news', 1);
  await expect(peers.ask('0123456789abcdef', 'news', 1)).rejects.toThrow('no bus');
  expect(peers.isDoubtful).toBe(true);
});
