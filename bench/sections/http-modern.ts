import { modernCall } from '../load/http-call.ts';
import { verifyPrice } from '../load/read-result.ts';
import { MARK } from '../order/sample-order.ts';
import type { Section } from '../results/section.ts';
import { compareSides } from '../results/rounds.ts';
import { figuresOf, ratioOrReason } from './figures.ts';
import { resultOf } from './call-once.ts';
import { BARE, bareProgram, modernPeers, ownProgram, SDK_V2, TOOLWRIGHT } from './programs.ts';
import { raceHttp } from './race-http.ts';

export const httpModern: Section = {
  name: 'modern',
  title: 'tools/call over HTTP, 2026-07-28',
  seconds: 59,
  targets: ['modernBare', 'modernSdk'],
  run: async (context) => {
    const own = ownProgram('http');
    const result = await resultOf(own, modernCall);
    const outcome = await raceHttp(
      {
        required: [bareProgram({ result }), own],
        peers: modernPeers,
        callsOf: () => Promise.resolve([modernCall]),
        verify: verifyPrice,
        mark: MARK,
      },
      context,
    );
    return {
      reference: BARE,
      figures: figuresOf(outcome, BARE),
      targets: {
        modernBare: compareSides(outcome.rounds, TOOLWRIGHT, BARE),
        modernSdk: ratioOrReason(outcome, TOOLWRIGHT, SDK_V2),
      },
    };
  },
};
