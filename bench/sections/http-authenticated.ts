import { legacyCall, modernCall, type HttpCall } from '../load/http-call.ts';
import { openSessions } from '../load/open-sessions.ts';
import { verifyPrice } from '../load/read-result.ts';
import { MARK } from '../order/sample-order.ts';
import { signToken } from '../order/signed-token.ts';
import { compareSides } from '../results/rounds.ts';
import type { Section, SectionContext } from '../results/section.ts';
import type { Spread } from '../results/spread.ts';
import { resultOf } from './call-once.ts';
import { BARE, bareProgram, ownProgram, TOOLWRIGHT } from './programs.ts';
import { raceHttp } from './race-http.ts';

const TOKEN = 'a-token-of-the-bench';
const credentials = { authorization: `Bearer ${TOKEN}` };

const signed = (call: HttpCall): HttpCall => ({ ...call, headers: { ...call.headers, ...credentials } });

/** One way of calling, and the flags of the server that is called so. */
interface Kind {
  readonly flags: readonly string[];
  readonly call: HttpCall;
  readonly callsOf: (url: URL) => Promise<readonly HttpCall[]>;
}

const KINDS = {
  stateless: {
    flags: [],
    call: signed(legacyCall),
    callsOf: () => Promise.resolve([signed(legacyCall)]),
  },
  modern: { flags: [], call: signed(modernCall), callsOf: () => Promise.resolve([signed(modernCall)]) },
  session: {
    flags: ['--sessions'],
    call: signed(legacyCall),
    callsOf: (url) => openSessions(url, credentials),
  },
} as const satisfies Readonly<Record<string, Kind>>;

export const httpAuthenticated: Section = {
  name: 'authenticated',
  title: 'tools/call over HTTP with a token, beside a bare server that reads the same header',
  seconds: 101,
  targets: [
    'authenticatedStateless',
    'authenticatedModern',
    'authenticatedSession',
    'authenticatedJwt',
    'authenticatedLimited',
  ],
  run: async (context) => {
    const stateless = await race('stateless', context);
    const modern = await race('modern', context);
    const session = await race('session', context);
    const { known, limited } = await raceSigned(context);
    return {
      reference: BARE,
      figures: [
        { name: `${TOOLWRIGHT}, 2025 without sessions`, ratio: stateless },
        { name: `${TOOLWRIGHT}, 2026-07-28`, ratio: modern },
        { name: `${TOOLWRIGHT}, 2025 in sessions`, ratio: session },
        { name: KNOWN, ratio: known },
        { name: LIMITED, ratio: limited },
      ],
      targets: {
        authenticatedStateless: stateless,
        authenticatedModern: modern,
        authenticatedSession: session,
        authenticatedJwt: known,
        authenticatedLimited: limited,
      },
    };
  },
};

const KNOWN = `${TOOLWRIGHT}, a JWT that is known`;
const LIMITED = `${TOOLWRIGHT}, and two scopes, a rate limit, a time limit`;

/** A token of an issuer, which every call after the first finds in the cache. */
async function raceSigned(
  context: SectionContext,
): Promise<{ readonly known: Spread; readonly limited: Spread }> {
  const { token, keys } = await signToken();
  const call = { ...legacyCall, headers: { ...legacyCall.headers, authorization: `Bearer ${token}` } };
  const known = { ...ownProgram('signed-http', 'order', keys), name: KNOWN };
  const limited = { ...ownProgram('signed-http', 'limited', keys), name: LIMITED };
  const result = await resultOf(known, call);
  const { rounds } = await raceHttp(
    {
      required: [bareProgram({ result, token }), known, limited],
      peers: [],
      callsOf: () => Promise.resolve([call]),
      verify: verifyPrice,
      mark: MARK,
    },
    context,
  );
  return { known: compareSides(rounds, KNOWN, BARE), limited: compareSides(rounds, LIMITED, BARE) };
}

async function race(name: keyof typeof KINDS, context: SectionContext): Promise<Spread> {
  const { flags, call, callsOf }: Kind = KINDS[name];
  const progress = (text: string): void => context.progress(`${name}, ${text}`);
  const result = await resultOf(ownProgram('authenticated-http', TOKEN), call);
  const { rounds } = await raceHttp(
    {
      required: [bareProgram({ result, token: TOKEN }), ownProgram('authenticated-http', TOKEN, ...flags)],
      peers: [],
      callsOf,
      verify: verifyPrice,
      mark: MARK,
    },
    { ...context, progress },
  );
  return compareSides(rounds, TOOLWRIGHT, BARE);
}
