import type { McpApplication } from 'toolwright';
import { countToolTokens, loadTokenizer } from 'toolwright/tokens';
import { MEASURED_COLUMNS, type MeasuredRow } from '../compare/measured.ts';
import { APPLICATIONS } from './applications.ts';
import { converse, type Conversation } from './conversation.ts';
import { listInPeer } from './list-peers.ts';
import type { Describe } from './listed-tool.ts';

/** What tools cost on each surface and in each form, and in the peers. */
export interface TokenRows {
  /** Columns are surfaces and forms. */
  readonly surfaces: readonly MeasuredRow[];
  /** Columns are Toolwright and the peers. */
  readonly sideBySide: readonly MeasuredRow[];
}

const FORMS = ['plain', 'toon', 'signatures'] as const;
const SURFACES = ['own', 'grouped-by-risk', 'flat', 'progressive'] as const;
const PEER_COLUMNS = MEASURED_COLUMNS.slice(1);

type Progress = (text: string) => void;

/** Counts the definitions of all applications, and one conversation. There is no noise in it. */
export async function measureTokens(progress: Progress): Promise<TokenRows> {
  const surfaces: MeasuredRow[] = [];
  const sideBySide: MeasuredRow[] = [];
  for (const [name, open] of Object.entries(APPLICATIONS)) {
    progress(`tokens of ${name}`);
    const app = await open();
    try {
      surfaces.push(tokenRow(name, { ...(await countSurfaces(app)), ...(await countForms(open)) }));
      sideBySide.push(tokenRow(`Definitions: ${name}`, await countBesidePeers(app)));
    } finally {
      await app.close();
    }
  }
  progress('tokens of a conversation');
  const [onSurfaces, besidePeers] = await countConversations();
  surfaces.push(tokenRow('a conversation of 8 calls, with definitions and results', onSurfaces));
  sideBySide.push(tokenRow('A conversation of 8 calls about an invoice', besidePeers));
  return { surfaces, sideBySide };
}

function tokenRow(name: string, values: MeasuredRow['values']): MeasuredRow {
  return { name, unit: 'tokens', better: 'less', values };
}

async function countSurfaces(app: McpApplication): Promise<MeasuredRow['values']> {
  const counted: Record<string, number> = {};
  for (const surface of SURFACES) counted[surface] = await countDefinitions(listOn(app, surface));
  return counted;
}

/** One tool for each group, in each form of its description. */
async function countForms(
  open: (describe: Describe) => Promise<McpApplication>,
): Promise<MeasuredRow['values']> {
  const counted: Record<string, number> = {};
  for (const describe of FORMS) {
    const app = await open(describe);
    counted[`grouped, ${describe}`] = await countDefinitions(listOn(app, 'own'));
    await app.close();
  }
  return counted;
}

async function countBesidePeers(app: McpApplication): Promise<MeasuredRow['values']> {
  const counted: Record<string, number | string> = {
    toolwright: await countDefinitions(listOn(app, 'own')),
  };
  const flat = listOn(app, 'flat');
  for (const peer of PEER_COLUMNS) counted[peer] = await countInPeer(peer, flat).catch(readReason);
  return counted;
}

async function countInPeer(peer: string, flat: readonly Tool[]): Promise<number> {
  return countDefinitions((await listInPeer(peer, flat.map(readableTool))) as readonly Tool[]);
}

function readReason(error: unknown): string {
  return `not measured: ${(error as Error).message.slice(0, 120)}`;
}

async function countConversations(): Promise<readonly [MeasuredRow['values'], MeasuredRow['values']]> {
  const onSurfaces: Record<string, number> = {};
  for (const surface of SURFACES) onSurfaces[surface] = await countConversation(await converse(surface));
  const flat = await converse('flat');
  const besidePeers: Record<string, number | string> = { toolwright: onSurfaces['own'] ?? 0 };
  for (const peer of PEER_COLUMNS) {
    // A peer is called by the same names, and gives the same values as compact JSON
    const count = async (): Promise<number> => {
      const tools = await listInPeer(peer, (flat.tools as readonly Tool[]).map(readableTool));
      return countConversation({ ...flat, tools });
    };
    besidePeers[peer] = await count().catch(readReason);
  }
  return [onSurfaces, besidePeers];
}

async function countConversation({ tools, calls, results }: Conversation): Promise<number> {
  const count = await loadTokenizer();
  const definitions = await countDefinitions(tools as readonly Tool[]);
  return [...calls.map((call) => JSON.stringify(call)), ...results].reduce(
    (sum, text) => sum + count(text),
    definitions,
  );
}

type Tool = Readonly<Record<string, unknown>>;

function listOn(app: McpApplication, surface: (typeof SURFACES)[number]): readonly Tool[] {
  const listed = app.registry.listed(app.registry.surfaceNamed(surface));
  return listed.map(({ definition }) => definition as unknown as Tool);
}

async function countDefinitions(tools: readonly Tool[]): Promise<number> {
  return (await countToolTokens(tools.map(readableTool))).tokens;
}

/** What a model can be given of a tool. Titles, `_meta` and `execution` are for programs. */
function readableTool({ name, description, inputSchema, outputSchema, annotations }: Tool): Tool {
  const { title: _title, ...hints } = (annotations ?? {}) as Tool;
  return { name, description, inputSchema, outputSchema, annotations: hints };
}
