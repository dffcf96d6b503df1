import { createTool, McpApplication, Module, type AuthInfo, type CallToolResult } from 'toolwright';
import type { Side } from '../results/take-turns.ts';
import { readArguments, sendResult } from './program.ts';
import { race, type RaceSettings } from './race.ts';

@Module({})
class Nothing {}

const VERBS = [
  'find',
  'create',
  'update',
  'merge',
  'archive',
  'assign',
  'export',
  'approve',
  'cancel',
  'delete',
];
const NOUNS = [
  'invoice',
  'customer',
  'ticket',
  'order',
  'contract',
  'shipment',
  'product',
  'payment',
  'report',
  'user',
];
const PLACES = [
  'sales',
  'support',
  'stock',
  'finance',
  'legal',
  'travel',
  'hiring',
  'fleet',
  'retail',
  'research',
];
/** What is looked for: one word, several, and one that is misspelt. */
const QUERIES = [
  'invoice',
  'create a customer',
  'approve payment in finance',
  'cancel the shipmnet',
  'archived tickets',
];
const CALLER: AuthInfo = {
  token: 'a-token',
  clientId: 'bench',
  scopes: [],
  extra: { sub: 'caller', roles: [] },
};

/** As many actions that everybody sees, and as many that only administrators do. */
function buildTools(isHidden: boolean) {
  return PLACES.map((place) => {
    const tool = createTool(isHidden ? `${place}-admin` : place).description(`All of ${place}`);
    for (const noun of NOUNS)
      tool.group(noun, (group) => {
        for (const verb of VERBS)
          group.action({
            name: verb,
            description: `${verb} one ${noun} of ${place}, with all that belongs to it`,
            input: {
              type: 'object',
              properties: {
                [`${noun}Id`]: { type: 'string', description: `Number of the ${noun}` },
                comment: { type: 'string', description: 'What to say of it' },
                state: { enum: ['open', 'waiting', 'closed'] },
              },
            },
            ...(isHidden ? { requires: { roles: ['admin'] } } : {}),
            handler: () => 'done',
          });
      });
    return tool;
  });
}

const app = await McpApplication.create(Nothing, {
  name: 'large',
  version: '1.0.0',
  surface: 'progressive',
  auth: { verify: { issuers: ['https://issuer.example'], verify: () => CALLER } },
});
app.registry.registerAll(...buildTools(false), ...buildTools(true));

async function find(args: object): Promise<CallToolResult> {
  return app.call('find_actions', args, { authInfo: CALLER });
}

const start = performance.now();
const { structuredContent: overview } = await find({});
const first = performance.now() - start;
if (overview?.['total'] !== 1000) throw new Error(`It sees ${JSON.stringify(overview)}`);

/** Milliseconds of one search. */
function searching(window: number): Side {
  const measure = async (): Promise<number> => {
    const began = performance.now();
    let runs = 0;
    for (let passed = 0; passed < window; passed = performance.now() - began) {
      for (const query of QUERIES) {
        const { structuredContent } = await find({ query });
        if (structuredContent?.['total'] === undefined) throw new Error(`It does not find ${query}`);
      }
      runs += QUERIES.length;
    }
    return (performance.now() - began) / runs;
  };
  return { name: 'a search', measure };
}

const settings = readArguments<RaceSettings>();
sendResult({ first, searches: await race([searching(settings.window)], [], settings) });
