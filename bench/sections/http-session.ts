import { legacyCall } from '../load/http-call.ts';
import { openSessions } from '../load/open-sessions.ts';
import { verifyPrice } from '../load/read-result.ts';
import { MARK } from '../order/sample-order.ts';
import { compareSides } from '../results/rounds.ts';
import type { Section } from '../results/section.ts';
import { figuresOf, ratioOrReason } from './figures.ts';
import { resultOf } from './call-once.ts';
import { BARE, bareProgram, ownProgram, SDK_V1, sdkV1Session, TOOLWRIGHT } from './programs.ts';
import { raceHttp } from './race-http.ts';

export const httpSession: Section = {
  name: 'session',
  title: 'tools/call over HTTP in sessions, 2025 era',
  seconds: 32,
  targets: ['sessionBare', 'sessionSdk'],
  run: async (context) => {
    const result = await resultOf(ownProgram('http'), legacyCall);
    const outcome = await raceHttp(
      {
        required: [bareProgram({ result }), ownProgram('http', '--sessions')],
        peers: [sdkV1Session],
        callsOf: openSessions,
        verify: verifyPrice,
        mark: MARK,
      },
      context,
    );
    return {
      reference: BARE,
      figures: figuresOf(outcome, BARE),
      targets: {
        sessionBare: compareSides(outcome.rounds, TOOLWRIGHT, BARE),
        sessionSdk: ratioOrReason(outcome, TOOLWRIGHT, SDK_V1),
      },
    };
  },
};
