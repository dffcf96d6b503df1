import { modernCall } from '../load/http-call.ts';
import { verifyPrice } from '../load/read-result.ts';
import { MARK } from '../order/sample-order.ts';
import { compareSides } from '../results/rounds.ts';
import type { Section } from '../results/section.ts';
import { ownProgram, TOOLWRIGHT } from './programs.ts';
import { raceHttp } from './race-http.ts';

/** The name of a row, and the argument of its server. */
const WATCHED = {
  'a class with the injected logger': 'logger',
  'accessLog: true': 'log',
  'telemetry, metrics alone': 'metrics',
  'telemetry, spans and metrics': 'all',
} as const;

export const observed: Section = {
  name: 'observed',
  title: 'tools/call over HTTP, 2026-07-28: what it costs to be watched',
  seconds: 60,
  targets: [],
  run: async (context) => {
    const watched = Object.entries(WATCHED).map(([name, kind]) => ({
      ...ownProgram('observed-http', kind),
      name,
    }));
    const { rounds } = await raceHttp(
      {
        required: [ownProgram('http'), ...watched],
        peers: [],
        callsOf: () => Promise.resolve([modernCall]),
        verify: verifyPrice,
        mark: MARK,
      },
      context,
    );
    const figures = watched.map(({ name }) => ({ name, ratio: compareSides(rounds, name, TOOLWRIGHT) }));
    return { reference: `${TOOLWRIGHT}, watched by nobody`, figures, targets: {} };
  },
};
