import { initializeMessage, legacyCall, modernCall } from '../load/http-call.ts';
import { NumberedRequest } from '../load/numbered-request.ts';
import { readResult, verifyPrice } from '../load/read-result.ts';
import type { StdioClient } from '../load/stdio-load.ts';
import { MARK } from '../order/sample-order.ts';
import type { ServerProgram } from '../processes/server-process.ts';
import { StdioProcess } from '../processes/stdio-process.ts';
import type { Section, SectionContext } from '../results/section.ts';
import { compareSides, type Rounds } from '../results/rounds.ts';
import { takeTurns, type Side } from '../results/take-turns.ts';
import { figuresOfRounds } from './figures.ts';
import { ownProgram, SDK_V1, SDK_V2, sdkV1Stdio, sdkV2Stdio, TOOLWRIGHT } from './programs.ts';

interface Entry {
  readonly program: ServerProgram;
  readonly isModern: boolean;
}

const LEGACY = `${TOOLWRIGHT}, 2025`;
const MODERN = `${TOOLWRIGHT}, 2026-07-28`;

const entries: readonly Entry[] = [
  { program: { ...sdkV1Stdio, name: SDK_V1 }, isModern: false },
  { program: { ...ownProgram('stdio'), name: LEGACY }, isModern: false },
  { program: { ...sdkV2Stdio, name: SDK_V2 }, isModern: true },
  { program: { ...ownProgram('stdio'), name: MODERN }, isModern: true },
];

export const stdio: Section = {
  name: 'stdio',
  title: 'tools/call over stdio, 16 calls on their way',
  seconds: 46,
  targets: ['stdioSdk', 'stdioModernSdk'],
  run: async (context) => {
    const rounds = await race(context);
    return {
      reference: SDK_V1,
      figures: figuresOfRounds(rounds, SDK_V1),
      targets: {
        stdioSdk: compareSides(rounds, LEGACY, SDK_V1),
        stdioModernSdk: compareSides(rounds, MODERN, SDK_V2),
      },
    };
  },
};

async function race(context: SectionContext): Promise<Rounds> {
  const servers: StdioProcess[] = [];
  const sides: Side[] = [];
  try {
    for (const { program, isModern } of entries) {
      context.progress(`starting ${program.name}`);
      const server = new StdioProcess(program);
      servers.push(server);
      await server.use((client) => open(client, isModern));
      const request = new NumberedRequest((isModern ? modernCall : legacyCall).message);
      const load = (window: number): Promise<number> =>
        server.use((client) => client.load({ request, mark: MARK, window }));
      await load(context.warmUp);
      sides.push({ name: program.name, measure: () => load(context.window) });
    }
    return await takeTurns(sides, [SDK_V1, SDK_V2], context);
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

/** Opens the connection in the way of the era, and checks an answer. */
async function open(client: StdioClient, isModern: boolean): Promise<void> {
  if (!isModern) {
    readResult(await client.exchange({ id: 1, ...initializeMessage }));
    client.notify({ method: 'notifications/initialized' });
  }
  const { message } = isModern ? modernCall : legacyCall;
  verifyPrice(readResult(await client.exchange({ id: 2, ...message })));
}
