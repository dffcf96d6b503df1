import { beforeAll, describe, expect, test } from '@jest/globals';
import { CLIENT_RULES, judgeFor, type ClientFinding } from '../../../src/cli/client-rules/judge.ts';
import { clientRuleCodes, type ClientRuleCode } from '../../../src/cli/client-rules/codes.ts';
import type { JudgedAction, JudgedServer, JudgedTool } from '../../../src/cli/client-rules/judged.ts';
import type { FindingLevel } from '../../../src/cli/output/levels.ts';
import { loadProfiles, type ClientProfiles } from '../../../src/profiles/profiles.ts';

const NOW = new Date('2026-11-28T00:00:00Z');

const action = (key: string, more: Partial<JudgedAction> = {}): JudgedAction => ({
  ...{ key, isReadOnly: true, isDestructive: false },
  ...more,
});
const reading = action('find');
const writing = action('create', { isReadOnly: false });
const destroying = action('remove', { isReadOnly: false, isDestructive: true });

const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
const WRITES = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false };
const DESTROYS = { ...WRITES, destructiveHint: true };
const output = { type: 'object', properties: { name: { type: 'string' } } } as const;

/** A tool that every client takes. */
const tool = (more: Partial<JudgedTool> = {}): JudgedTool => ({
  name: 'notes',
  title: 'Notes',
  description: 'Find notes',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
  outputSchema: output,
  annotations: READS,
  actions: [reading],
  tokens: 100,
  ...more,
});

const fields = (properties: object): Partial<JudgedTool> => ({
  inputSchema: { type: 'object', properties: properties as never },
});

const server = (tools: readonly JudgedTool[], more: Partial<JudgedServer> = {}): JudgedServer => ({
  ...{ name: 'desk', tools, prompts: 0, resources: 0, auth: 'none', changesLists: false },
  ...more,
});

const many = (count: number): readonly JudgedTool[] =>
  Array.from({ length: count }, (_, index) => tool({ name: `t${String(index)}` }));
const keys = Array.from({ length: 40 }, (_, index) => `act${String(index).padStart(2, '0')}`);
const longList = keys.map((key) => `${key}(): ${'x'.repeat(60)}`).join('\n');

type Case = readonly [
  code: ClientRuleCode,
  client: string,
  level: FindingLevel,
  wrong: JudgedServer,
  text: string,
  mended: JudgedServer,
];

const list = { type: 'array', items: { type: 'string' } } as const;
const paged = action('find', { outputSchema: { type: 'object', properties: { items: list } } });

const longText = {
  level: 'problem',
  where: 'server.json, description',
  what: 'has 140 characters, and 100 are allowed.',
  fix: 'say it in short',
} as const;

/** The smallest case of each code, and what its fix makes of it. */
const CASES: readonly Case[] = [
  [
    'TW_FOR_TITLE',
    'claude-directory',
    'problem',
    server([tool({ title: ' ' })]),
    'tool "notes" has no title',
    server([tool()]),
  ],
  [
    'TW_FOR_TITLE',
    'chatgpt',
    'advice',
    server([tool({ title: '' })]),
    'tool "notes" has no title',
    server([tool({ title: '', annotations: { ...READS, title: 'Notes' } })]),
  ],
  [
    'TW_FOR_HINT_MISSING',
    'chatgpt-directory',
    'problem',
    server([tool({ annotations: { ...READS, openWorldHint: undefined } })]),
    'leaves out openWorldHint',
    server([tool()]),
  ],
  [
    'TW_FOR_HINT_CONFLICT',
    'chatgpt-directory',
    'problem',
    server([tool({ actions: [destroying] })]),
    'says readOnlyHint: true, but runs remove',
    server([tool({ actions: [destroying], annotations: DESTROYS })]),
  ],
  [
    'TW_FOR_HINT_CONFLICT',
    'codex',
    'advice',
    server([tool({ actions: [destroying], annotations: WRITES })]),
    'says destructiveHint: false, but runs remove',
    server([tool({ actions: [destroying], annotations: DESTROYS })]),
  ],
  [
    'TW_FOR_MIXED',
    'claude-directory',
    'problem',
    server([tool({ actions: [reading, destroying], annotations: DESTROYS })]),
    'reads (find) and writes (remove)',
    server([tool(), tool({ name: 'notes_change', actions: [destroying], annotations: DESTROYS })]),
  ],
  [
    'TW_FOR_MIXED',
    'vscode',
    'advice',
    server([tool({ actions: [reading, writing], annotations: WRITES })]),
    'and VS Code asks a person before reads as well',
    server([tool(), tool({ name: 'notes_change', actions: [writing], annotations: WRITES })]),
  ],
  [
    'TW_FOR_CATCH_ALL',
    'claude-directory',
    'problem',
    server([tool({ ...fields({ action: { type: 'string' }, arguments: { type: 'object' } }) })]),
    'takes any action',
    server([
      tool({ ...fields({ action: { type: 'string', enum: ['find'] }, arguments: { type: 'object' } }) }),
    ]),
  ],
  [
    'TW_FOR_WRITE_UNMARKED',
    'claude-directory',
    'advice',
    server([tool({ actions: [writing], annotations: WRITES })]),
    'has neither readOnlyHint: true nor destructiveHint: true',
    server([tool({ actions: [destroying], annotations: DESTROYS })]),
  ],
  [
    'TW_FOR_NAME_LENGTH',
    'vscode',
    'problem',
    server([tool({ name: 'n'.repeat(47) })]),
    'has a name of 47 characters and up to 18 that the client puts before it, and VS Code cuts what is longer than 64',
    server([tool({ name: 'n'.repeat(46) })]),
  ],
  [
    'TW_FOR_NAME_LENGTH',
    'claude-directory',
    'problem',
    server([tool({ name: 'n'.repeat(65) })]),
    'refuses what is longer than 64',
    server([tool({ name: 'n'.repeat(64) })]),
  ],
  [
    'TW_FOR_NAME_LENGTH',
    'codex',
    'advice',
    server([tool({ name: 'n'.repeat(102) })]),
    'puts a hash into what is longer than 128',
    server([tool({ name: 'n'.repeat(101) })]),
  ],
  [
    'TW_FOR_NAME_CHARS',
    'codex',
    'advice',
    server([tool({ name: 'a-b' })]),
    'has "-" in its name',
    server([tool({ name: 'a_b' })]),
  ],
  [
    'TW_FOR_NAME_COLLISION',
    'openai-agents',
    'problem',
    server([tool({ name: 'a.b' }), tool({ name: 'a_b' })]),
    'tool "a.b" and tool "a_b" are one in OpenAI Agents SDK: "a_b"',
    server([tool({ name: 'ab' }), tool({ name: 'a_b' })]),
  ],
  [
    'TW_FOR_COUNT',
    'vscode',
    'advice',
    server(many(140)),
    'lists 140 tools, and VS Code takes 128.',
    server(many(102)),
  ],
  [
    'TW_FOR_COUNT',
    'windsurf',
    'advice',
    server(many(80)),
    'takes 100, those of other servers included',
    server(many(79)),
  ],
  [
    'TW_FOR_DESCRIPTION',
    'claude-code',
    'advice',
    server([tool({ description: longList, actions: keys.map((key) => action(key)) })]),
    'has a description of 2799 characters, and Claude Code reads 2048: 10 of 40 actions are lost',
    server([tool({ description: longList.slice(0, 2048) })]),
  ],
  [
    'TW_FOR_DEFINITION',
    'chatgpt',
    'advice',
    server([tool({ tokens: 5001 })]),
    'has 5001 tokens, and ChatGPT refuses more than 5000',
    server([tool({ tokens: 5000 })]),
  ],
  [
    'TW_FOR_SCHEMA_BYTES',
    'codex',
    'advice',
    server([tool({ ...fields({ text: { type: 'string', description: 'é'.repeat(2500) } }) })]),
    'bytes, and Codex drops all descriptions',
    server([tool({ ...fields({ text: { type: 'string', description: 'e'.repeat(2500) } }) })]),
  ],
  [
    'TW_FOR_SCHEMA_KEYWORD',
    'gemini-cli',
    'advice',
    server([tool({ ...fields({ map: { type: 'object', additionalProperties: { type: 'string' } } }) })]),
    'has additionalProperties in its schema, and Gemini CLI refuses that',
    server([tool({ ...fields({ map: { type: 'object', additionalProperties: false } }) })]),
  ],
  [
    'TW_FOR_SCHEMA_KEYWORD',
    'codex',
    'note',
    server([tool({ ...fields({ many: { type: 'integer', minimum: 1, default: 2 } }) })]),
    'has default, minimum in its schema, which Codex drops',
    server([tool()]),
  ],
  [
    'TW_FOR_PROPERTY_NAME',
    'claude-code',
    'problem',
    server([tool({ ...fields({ größe: { type: 'string' } }) })]),
    '"größe", which is not ^[A-Za-z0-9_.-]{1,64}$',
    server([tool({ ...fields({ size: { type: 'string' } }) })]),
  ],
  [
    'TW_FOR_NULLABLE',
    'cursor',
    'advice',
    server([tool({ ...fields({ size: { type: ['string', 'null'] } }) })]),
    'has a list of types for "size", and Cursor 2.0.75 refuses that',
    server([tool({ ...fields({ size: { type: 'string' } }) })]),
  ],
  [
    'TW_FOR_INSTRUCTIONS',
    'claude-code',
    'advice',
    server([tool()], { instructions: 'x'.repeat(2049) }),
    'has instructions of 2049 characters, and Claude Code reads 2048',
    server([tool()], { instructions: 'x'.repeat(2048) }),
  ],
  [
    'TW_FOR_INSTRUCTIONS',
    'chatgpt',
    'note',
    server([tool()], { instructions: 'x'.repeat(513) }),
    'wants the first 512 to stand alone',
    server([tool()], { instructions: 'x'.repeat(512) }),
  ],
  [
    'TW_FOR_STEERS',
    'claude-directory',
    'advice',
    server([tool({ description: 'Always call this first.' })]),
    'tool "notes" says "Always call"',
    server([tool({ description: 'Lists what there is; useful first.' })]),
  ],
  [
    'TW_FOR_STEERS',
    'chatgpt-directory',
    'advice',
    server([tool({ ...fields({ text: { type: 'string', description: 'Prefer this tool to others' } }) })]),
    'says "Prefer this tool"',
    server([tool()]),
  ],
  [
    'TW_FOR_API_UNNAMED',
    'claude-directory',
    'advice',
    server([tool({ description: 'Makes a request to the API', ...fields({ path: { type: 'string' } }) })]),
    'takes a free path',
    server([tool({ description: 'Asks the GitHub REST API', ...fields({ path: { type: 'string' } }) })]),
  ],
  [
    'TW_FOR_SENSITIVE',
    'chatgpt-directory',
    'advice',
    server([tool({ ...fields({ user: { type: 'object', properties: { api_key: { type: 'string' } } } }) })]),
    'asks for "api_key"',
    server([tool({ ...fields({ pageToken: { type: 'string' } }) })]),
  ],
  [
    'TW_FOR_OUTPUT',
    'chatgpt-directory',
    'note',
    server([{ ...tool(), outputSchema: undefined } as unknown as JudgedTool]),
    'has no outputSchema',
    server([tool()]),
  ],
  [
    'TW_FOR_RESULT',
    'claude-code',
    'advice',
    server([tool({ actions: [paged] })]),
    'cannot be cut to the 25000 tokens that Claude Code takes: find',
    server([tool({ actions: [{ ...paged, isPaged: true }] })]),
  ],
  [
    'TW_FOR_RESULT',
    'gemini-cli',
    'advice',
    server([tool({ actions: [paged] })]),
    '40000 characters',
    server([tool({ actions: [{ ...paged, hasBudget: true }] })]),
  ],
  [
    'TW_FOR_RESULT_FORM',
    'vscode',
    'note',
    server([tool({ actions: [action('find', { result: 'toon' })] })]),
    'chose a text for find (toon)',
    server([tool({ actions: [action('find', { result: 'json' })] })]),
  ],
  [
    'TW_FOR_PRIMITIVE',
    'chatgpt',
    'advice',
    server([tool()], { prompts: 3 }),
    'has 3 prompts that ChatGPT does not show',
    server([tool()]),
  ],
  [
    'TW_FOR_PRIMITIVE',
    'zed',
    'advice',
    server([tool()], { resources: 1 }),
    'has 1 resource that Zed does not show',
    server([tool()], { prompts: 1 }),
  ],
  [
    'TW_FOR_LIST_CHANGED',
    'codex',
    'note',
    server([tool()], { changesLists: true }),
    'does not look again',
    server([tool()]),
  ],
  [
    'TW_FOR_PAGES',
    'zed',
    'problem',
    server(many(60), { pageSize: 20 }),
    'hides 40 of 60 tools behind pageSize: 20',
    server(many(60)),
  ],
  [
    'TW_FOR_ASKS',
    'gemini-cli',
    'advice',
    server([tool({ actions: [action('find', { confirm: true })] })]),
    'asks a person before find',
    server([tool({ actions: [action('find', { confirm: 'twice' })] })]),
  ],
  [
    'TW_FOR_AUTH',
    'claude',
    'problem',
    server([tool()], { auth: 'headers' }),
    'wants a key in a header, and Claude',
    server([tool()], { auth: 'oauth' }),
  ],
  [
    'TW_FOR_VIEW',
    'chatgpt-directory',
    'problem',
    server([tool()], { views: [{ uri: 'ui://board' }] }),
    'view "ui://board" has no csp',
    server([tool()], { views: [{ uri: 'ui://board', csp: {} }] }),
  ],
  [
    'TW_FOR_VIEW',
    'chatgpt-directory',
    'problem',
    server([tool()], { views: [{ uri: 'ui://board', csp: { connectDomains: ['https://*.example.com'] } }] }),
    'names origins with a wildcard (https://*.example.com)',
    server([tool()], { views: [{ uri: 'ui://board', csp: { connectDomains: ['https://localhost.org'] } }] }),
  ],
  [
    'TW_FOR_VIEW',
    'chatgpt-directory',
    'problem',
    server([tool()], { views: [{ uri: 'ui://board', csp: { resourceDomains: ['http://localhost:80'] } }] }),
    'reaches http://localhost:80',
    server([tool()], { views: [{ uri: 'ui://board', csp: { frameDomains: ['https://example.com'] } }] }),
  ],
  [
    'TW_FOR_REGISTRY',
    'mcp-registry',
    'problem',
    server([tool()], { listing: { name: 'com.example/desk', findings: [longText] } }),
    'server.json, description has 140 characters',
    server([tool()], { listing: { name: 'com.example/desk', findings: [] } }),
  ],
  [
    'TW_FOR_REGISTRY',
    'mcp-registry',
    'note',
    server([tool()], { listing: { findings: [longText] } }),
    'desk has no name for the MCP registry',
    server([tool()]),
  ],
];

let profiles: ClientProfiles;
beforeAll(async () => {
  profiles = await loadProfiles();
});

function judge(given: JudgedServer, id: string, now = NOW): readonly ClientFinding[] {
  const { title, facts } = profiles.byId(id)!;
  const isDirectory = profiles.clients[id]?.kind === 'directory';
  return judgeFor(given, { id, title, facts, now, isDirectory });
}

describe('a rule', () => {
  test.each(CASES)(
    '%s for %s is %s once, and gone after its fix',
    (code, client, level, wrong, text, mended) => {
      const found = judge(wrong, client).filter((finding) => finding.code === code);
      expect(found).toHaveLength(1);
      const [{ where, what, why, fix, ...finding }] = found as [ClientFinding];
      expect(finding).toEqual({ code, client, level });
      expect(`${where} ${what}`).toContain(text);
      expect(why).toMatch(/^\d{4}-\d\d-\d\d, .*: https:\/\//);
      expect(fix).not.toBe('');
      expect(judge(mended, client).filter((each) => each.code === code)).toEqual([]);
    },
  );

  test('is tried for each code', () => {
    const tried = new Set(CASES.map(([code]) => code)).add('TW_FOR_STALE');
    expect([...tried].sort()).toEqual(Object.keys(clientRuleCodes).sort());
    expect(CLIENT_RULES.map(({ code }) => code).sort()).toEqual(Object.keys(clientRuleCodes).sort());
  });

  test('finds nothing in a tool that all take', () => {
    const found = profiles.ids.flatMap((id) => judge(server([tool()]), id));
    expect(found).toEqual([]);
  });

  test('is a note where facts are older than 180 days', () => {
    const found = judge(server([tool()]), 'windsurf', new Date('2027-08-01'));
    expect(found).toMatchObject([{ code: 'TW_FOR_STALE', level: 'note', where: 'windsurf' }]);
    expect(found[0]?.what).toContain('tools.count');
  });

  test('about what only others say is advice at most', () => {
    const found = profiles.ids.flatMap((id) => CASES.flatMap(([, , , wrong]) => judge(wrong, id)));
    const failing = found.filter(({ level }) => level === 'problem');
    expect(failing.length).toBeGreaterThan(10);
    expect(failing.filter(({ why = '' }) => why.includes('reported by others'))).toEqual([]);
  });

  test('takes a hint of the author for a mark where no action has one', () => {
    const given = server([tool({ actions: [writing] })]);
    expect(judge(given, 'chatgpt-directory')).toEqual([]);
    const marked = server([tool({ actions: [reading, writing] })]);
    expect(judge(marked, 'chatgpt-directory').map(({ code }) => code)).toContain('TW_FOR_HINT_CONFLICT');
  });

  test('is silent where the client can do it', () => {
    const asking = server([tool({ actions: [action('find', { confirm: true })] })]);
    expect(judge(asking, 'vscode').map(({ code }) => code)).not.toContain('TW_FOR_ASKS');
    expect(judge(server(many(20), { pageSize: 20 }), 'zed')).toEqual([]);
  });

  test('cuts names as clients do before it compares them', () => {
    const same = 'n'.repeat(46);
    const given = server([tool({ name: `${same}a` }), tool({ name: `${same}b` })]);
    expect(judge(given, 'vscode').map(({ code }) => code)).toContain('TW_FOR_NAME_COLLISION');
    // The ends differ, and the middle is cut
    expect(judge(given, 'gemini-cli').map(({ code }) => code)).not.toContain('TW_FOR_NAME_COLLISION');
  });
});
