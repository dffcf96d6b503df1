import { legacyList, type HttpCall } from '../load/http-call.ts';
import { signToken } from '../order/signed-token.ts';
import type { ServerProgram } from '../processes/server-process.ts';
import { runProgram } from '../processes/run-program.ts';
import type { Section, SectionContext } from '../results/section.ts';
import { calmest, compareSides, type Rounds } from '../results/rounds.ts';
import { ratioSpread, type Spread } from '../results/spread.ts';
import { resultOf } from './call-once.ts';
import { figuresOfRounds } from './figures.ts';
import { bareProgram, ownProgram } from './programs.ts';
import { raceHttp } from './race-http.ts';
import { roundsOf, type SentRounds } from './sent-rounds.ts';

const FEW = 5;
const MANY = 500;
const SDK = 'McpServer, 50 tools';
const own = (tools: number): string => `toolwright, ${tools} tools`;
const bare = (tools: number): string => `bare, bytes of ${tools} tools`;

export const toolsList: Section = {
  name: 'list',
  title: 'tools/list, bare messages in memory and over HTTP',
  seconds: 89,
  targets: ['listFlat', 'listFlatHttp', 'listPruned', 'listSdk'],
  run: async (context) => {
    const { progress, ...settings } = context;
    const inMemory = roundsOf(await runProgram<SentRounds>('in-memory-list', settings, progress));
    const overHttp = await raceLists(context);
    const pruned = await racePruned(context);
    const figures = [
      ...figuresOfRounds(inMemory, SDK),
      ...[FEW, MANY].map((tools) => ({
        name: `${own(tools)} over HTTP`,
        ratio: compareSides(overHttp, own(tools), bare(tools)),
        note: 'ratio to bare node:http that writes as many bytes',
      })),
      { name: PRUNED, ratio: pruned, note: `ratio to ${OPEN}` },
    ];
    return {
      reference: SDK,
      figures,
      targets: {
        listFlat: compareSides(inMemory, own(FEW), own(MANY)),
        listSdk: compareSides(inMemory, own(50), SDK),
        listFlatHttp: flatness(overHttp),
        listPruned: pruned,
      },
    };
  },
};

async function raceLists(context: SectionContext): Promise<Rounds> {
  const required = [];
  for (const tools of [FEW, MANY]) {
    const program = { ...ownProgram('many-tools-http', String(tools)), name: own(tools) };
    const result = await resultOf(program, legacyList);
    required.push(program, bareProgram({ result, isPrepared: true }, bare(tools)));
  }
  return raceList(required, legacyList, context);
}

async function raceList(
  required: readonly ServerProgram[],
  call: HttpCall,
  context: SectionContext,
): Promise<Rounds> {
  const { rounds } = await raceHttp(
    {
      required,
      peers: [],
      callsOf: () => Promise.resolve([call]),
      verify: (result) => {
        if (!Array.isArray(result['tools'])) throw new Error('It lists no tools');
      },
      mark: 'orders_price5',
    },
    context,
  );
  return rounds;
}

const OPEN = '50 tools, open to all, with a JWT over HTTP';
const PRUNED = '50 tools of 100, the others hidden, with a JWT over HTTP';

/** The same 50 tools for the same caller. */
async function racePruned(context: SectionContext): Promise<Spread> {
  const { token, keys } = await signToken();
  const call = { ...legacyList, headers: { ...legacyList.headers, authorization: `Bearer ${token}` } };
  const rounds = await raceList(
    [
      { ...ownProgram('signed-http', 'listed', keys, '--public'), name: OPEN },
      { ...ownProgram('signed-http', 'pruned', keys, '--public'), name: PRUNED },
    ],
    call,
    context,
  );
  return compareSides(rounds, PRUNED, OPEN);
}

/** How much longer many tools take than few, each beside a server that only writes the bytes. */
function flatness(rounds: Rounds): Spread {
  const divided = (values: readonly number[] = [], others: readonly number[] = []): readonly number[] =>
    values.map((value, round) => value / (others[round] as number));
  const sides = [bare(MANY), own(MANY), bare(FEW), own(FEW)];
  return calmest(rounds, sides, ([manyBare, many, fewBare, few]) =>
    ratioSpread(divided(manyBare, many), divided(fewBare, few)),
  );
}
