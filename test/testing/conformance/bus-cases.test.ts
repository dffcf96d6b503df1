import { InMemoryBus, type Bus } from 'toolwright';
import { busConformance } from 'toolwright/testing';
import { testKit, turn, type Broken } from '../../support/kit.ts';

const dropping =
  (isLost: (text: string, count: number) => boolean): Broken<Bus> =>
  (bus) => {
    let count = 0;
    return {
      publish: async (channel, text) => {
        count += 1;
        if (!isLost(text, count)) await bus.publish(channel, text);
      },
    };
  };
const ofChannels =
  (change: (channel: string) => string): Broken<Bus> =>
  (bus) => ({
    publish: (channel, text) => bus.publish(change(channel), text),
    subscribe: (channel, listener) => bus.subscribe(change(channel), listener),
  });
const ofTexts =
  (change: (text: string) => string): Broken<Bus> =>
  (bus) => ({ publish: (channel, text) => bus.publish(channel, change(text)) });

const repeating: Broken<Bus> = (bus) => ({
  publish: async (channel, text) => {
    await bus.publish(channel, text);
    await bus.publish(channel, text);
  },
});

testKit<Bus>({
  cases: busConformance,
  make: () => new InMemoryBus(),
  broken: {
    'brings a text to all listeners of all instances, the sender included, once': {
      'drops each second text': dropping((_text, count) => count % 2 === 1),
      'brings it twice': repeating,
      'has one listener for a channel': (bus) => {
        const listening = new Set<string>();
        return {
          subscribe: async (channel, listener) => {
            if (listening.has(channel)) return () => undefined;
            listening.add(channel);
            return bus.subscribe(channel, listener);
          },
        };
      },
    },
    'brings what any instance sends': {
      'drops each text': dropping(() => true),
      'brings it twice': repeating,
    },
    'keeps the order of a sender, who need not wait': {
      'sends over several connections': (bus) => ({
        publish: async (channel, text) => {
          if (Number(text) % 2 === 0) await turn();
          await bus.publish(channel, text);
        },
      }),
      'drops texts in a flood': dropping((_text, count) => count === 77),
    },
    'brings nothing of what was sent before': {
      'repeats the last text for new listeners': (bus) => {
        let last: string | undefined;
        return {
          publish: (channel, text) => {
            last = text;
            return bus.publish(channel, text);
          },
          subscribe: (channel, listener) => {
            if (last !== undefined) listener(last);
            return bus.subscribe(channel, listener);
          },
        };
      },
    },
    'brings nothing to a listener that was stopped, and everything to the others': {
      'does not stop': (bus) => ({
        subscribe: async (channel, listener) => {
          await bus.subscribe(channel, listener);
          return () => undefined;
        },
      }),
      'stops the whole channel': (bus) => {
        const stops = new Map<string, (() => void)[]>();
        return {
          subscribe: async (channel, listener) => {
            const all = stops.get(channel) ?? [];
            stops.set(channel, all);
            all.push(await bus.subscribe(channel, listener));
            return () => {
              for (const stop of all) stop();
            };
          },
        };
      },
      'has a function once, however often it listens': (bus) => {
        const stops = new Map<unknown, () => void>();
        return {
          subscribe: async (channel, listener) => {
            stops.get(listener)?.();
            stops.set(listener, await bus.subscribe(channel, listener));
            return () => stops.get(listener)?.();
          },
        };
      },
      'counts a second stop as that of another listener': (bus) => {
        const stops: (() => void)[] = [];
        return {
          subscribe: async (channel, listener) => {
            stops.push(await bus.subscribe(channel, listener));
            return () => stops.shift()?.();
          },
        };
      },
    },
    'can be listened to again after all listeners were stopped': {
      'ends the channel for good': (bus) => {
        const ended = new Set<string>();
        return {
          subscribe: async (channel, listener) => {
            const stop = ended.has(channel) ? () => undefined : await bus.subscribe(channel, listener);
            return () => {
              ended.add(channel);
              stop();
            };
          },
        };
      },
      'listens only after it has said so': (bus) => ({
        subscribe: async (channel, listener) => {
          let stop = (): void => undefined;
          setTimeout(() => {
            void bus.subscribe(channel, listener).then((ended) => {
              stop = ended;
            });
          }, 5);
          return () => {
            stop();
          };
        },
      }),
    },
    'keeps channels apart': {
      'does not look at the letter case': ofChannels((channel) => channel.toLowerCase()),
      'cuts long names': ofChannels((channel) => channel.slice(0, 63)),
      'takes names for patterns': (bus) => ({
        subscribe: async (channel, listener) => {
          await bus.subscribe('a', listener);
          return bus.subscribe(channel, listener);
        },
      }),
    },
    'brings any text as it is': {
      'brings ASCII': ofTexts((text) => text.replace(/[^\0-\x7f]/g, '?')),
      'cuts long texts': ofTexts((text) => text.slice(0, 7999)),
      'drops empty texts': dropping((text) => text === ''),
    },
  },
});
