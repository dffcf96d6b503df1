import { legacyCall } from '../load/http-call.ts';
import { verifyPrice } from '../load/read-result.ts';
import { MARK } from '../order/sample-order.ts';
import type { Section } from '../results/section.ts';
import { compareSides } from '../results/rounds.ts';
import { aheadOf, figuresOf, ratioOrReason } from './figures.ts';
import { resultOf } from './call-once.ts';
import { bareProgram, BARE, MCP_LITE, ownProgram, SDK_V1, statelessPeers, TOOLWRIGHT } from './programs.ts';
import { raceHttp } from './race-http.ts';

export const httpStateless: Section = {
  name: 'http',
  title: 'tools/call over HTTP without sessions, 2025 era',
  seconds: 86,
  targets: ['statelessBare', 'statelessSdk', 'statelessLite', 'statelessPeers'],
  run: async (context) => {
    const own = ownProgram('http');
    const result = await resultOf(own, legacyCall);
    const outcome = await raceHttp(
      {
        required: [bareProgram({ result }), own],
        peers: statelessPeers,
        callsOf: () => Promise.resolve([legacyCall]),
        verify: verifyPrice,
        mark: MARK,
      },
      context,
    );
    const peers = statelessPeers.map(({ name }) => name);
    return {
      reference: BARE,
      figures: figuresOf(outcome, BARE),
      targets: {
        statelessBare: compareSides(outcome.rounds, TOOLWRIGHT, BARE),
        statelessSdk: ratioOrReason(outcome, TOOLWRIGHT, SDK_V1),
        statelessLite: ratioOrReason(outcome, TOOLWRIGHT, MCP_LITE),
        statelessPeers: aheadOf(outcome.rounds, TOOLWRIGHT, peers),
      },
    };
  },
};
