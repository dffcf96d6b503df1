import assert from 'node:assert/strict';
import type { Bus } from '../../index.ts';
import type { ConformanceCase } from '../../shared/conformance-case.ts';
import {
  eventually,
  LARGE_TEXT,
  ODD_KEYS,
  ODD_TEXT,
  portConformance,
  type MakePort,
  type PortCases,
  type Trial,
} from './trial.ts';

/** What comes last: whatever was sent before it has come, or never will. */
const LAST = 'last';

interface Listener {
  readonly texts: string[];
  readonly stop: () => void;
}

async function listen(bus: Bus, channel: string): Promise<Listener> {
  const texts: string[] = [];
  const stop = await bus.subscribe(channel, (text) => texts.push(text));
  return { texts, stop };
}

/** What came to a listener before the last text, which comes now. */
async function heard(trial: Trial<Bus>, channel: string, { texts }: Listener): Promise<readonly string[]> {
  await trial.port.publish(channel, LAST);
  await eventually(trial, `a text on the channel ${JSON.stringify(channel)}`, () => texts.includes(LAST));
  return texts.slice(0, texts.indexOf(LAST));
}

const CASES: PortCases<Bus> = {
  async 'brings a text to all listeners of all instances, the sender included, once'(trial) {
    const other = await trial.second();
    const listeners = [
      await listen(trial.port, 'a'),
      await listen(trial.port, 'a'),
      await listen(other, 'a'),
    ];
    await trial.port.publish('a', 'text');
    for (const listener of listeners) assert.deepEqual(await heard(trial, 'a', listener), ['text']);
  },
  async 'brings what any instance sends'(trial) {
    const listener = await listen(trial.port, 'a');
    await (await trial.second()).publish('a', 'text');
    await eventually(trial, 'the text of the second instance', () => listener.texts.length > 0);
    assert.deepEqual(listener.texts, ['text']);
  },
  async 'keeps the order of a sender, who need not wait'(trial) {
    const texts = Array.from({ length: 100 }, (_, index) => String(index));
    const listeners = [await listen(trial.port, 'a'), await listen(await trial.second(), 'a')];
    await Promise.all(texts.map((text) => trial.port.publish('a', text)));
    for (const listener of listeners) assert.deepEqual(await heard(trial, 'a', listener), texts);
  },
  async 'brings nothing of what was sent before'(trial) {
    await trial.port.publish('a', 'early');
    const before = await listen(trial.port, 'a');
    assert.deepEqual(await heard(trial, 'a', before), []);
  },
  async 'brings nothing to a listener that was stopped, and everything to the others'(trial) {
    const texts: string[] = [];
    const listener = (text: string): void => void texts.push(text);
    const stopOne = await trial.port.subscribe('a', listener);
    await trial.port.subscribe('a', listener);
    const [stopped, other] = [await listen(trial.port, 'a'), await listen(trial.port, 'a')];
    stopped.stop();
    stopOne();
    stopOne();
    await trial.port.publish('a', 'text');
    assert.deepEqual(await heard(trial, 'a', other), ['text']);
    assert.deepEqual(stopped.texts, []);
    await eventually(trial, 'the text for the function that listens once more', () => texts.length > 0);
    assert.deepEqual(texts.slice(0, 1), ['text']);
    assert.equal(texts.filter((text) => text === 'text').length, 1);
  },
  async 'can be listened to again after all listeners were stopped'(trial) {
    (await listen(trial.port, 'a')).stop();
    const again = await listen(trial.port, 'a');
    await trial.port.publish('a', 'text');
    assert.deepEqual(await heard(trial, 'a', again), ['text']);
  },
  async 'keeps channels apart'(trial) {
    const listeners: Listener[] = [];
    for (const channel of ODD_KEYS) listeners.push(await listen(trial.port, channel));
    for (const channel of ODD_KEYS) await trial.port.publish(channel, `on ${channel}`);
    for (const [index, channel] of ODD_KEYS.entries()) {
      const listener = listeners[index];
      assert.ok(listener);
      assert.deepEqual(await heard(trial, channel, listener), [`on ${channel}`]);
    }
  },
  async 'brings any text as it is'(trial) {
    const texts = ['', ODD_TEXT, LARGE_TEXT, 'short'];
    const listener = await listen(trial.port, 'a');
    for (const text of texts) await trial.port.publish('a', text);
    const brought = await heard(trial, 'a', listener);
    // Not an assertion on the texts themselves, which would print all of them
    assert.deepEqual(
      brought.map((text, index) => text === texts[index]),
      [true, true, true, true],
    );
  },
};

/**
 * What every {@link Bus} has to do, as cases for any test runner. That it reports gaps needs a connection that is lost,
 * and a test of your own.
 *
 * @example
 * for (const { name, run } of busConformance(() => ({ port: new InMemoryBus() }))) test(name, run);
 */
export function busConformance(make: MakePort<Bus>): readonly ConformanceCase[] {
  return portConformance(CASES, make);
}
