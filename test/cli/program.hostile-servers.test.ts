import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { runInProcess } from '../support/command-in-process.ts';
import { DEEP, hostileJson, HostileServer, PENDING, type Answer } from '../support/hostile-server.ts';

let server: HostileServer;
let folder: string;
let results: Readonly<Record<string, unknown>>;

let failure: Answer | undefined;

const answer: Answer = (received, response) => {
  const failed = failure?.(received, response);
  if (failed !== undefined) return failed;
  const { message } = received;
  const result = results[message.method ?? ''];
  return result === undefined ? undefined : { result };
};

beforeAll(async () => {
  server = await HostileServer.open(answer);
  folder = mkdtempSync(join(tmpdir(), 'hostile-'));
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  results = {};
  failure = undefined;
});

const schema = { type: 'object', properties: { a: { type: 'string' } } } as const;
const file = (name: string): string => join(folder, name);

function lock(name: string, lists: object): string {
  const empty = { tools: [], prompts: [], resources: [], resourceTemplates: [] };
  writeFileSync(
    file(name),
    hostileJson({ lockVersion: 1, surfaceHash: 'x', server: {}, ...empty, ...lists }),
  );
  return file(name);
}

const run = (mode: readonly string[], isTerminal: boolean) => {
  const [command = '', ...rest] = mode;
  const args = rest.map((each) => (each === 'OLD' ? lock('old.json', {}) : each));
  const given = command === 'diff' ? [args[0] ?? '', server.url, ...args.slice(1)] : [server.url, ...args];
  const env = { GITHUB_STEP_SUMMARY: file('summary.md') };
  return runInProcess([command, ...given, '--era', '2025'], { isTerminal, env });
};

describe('what a server says', () => {
  const STEERING =
    'x\u001b]0;t\u0007\u009b2J\u009dx\u202e\u2066\u2028\n::add-mask::y\n \t::stop-commands::x\r::error::x\n##[error]y ##vso[a]';
  const described = { title: STEERING, description: STEERING };
  const tool = (name: string) => ({
    name,
    ...described,
    inputSchema: {
      type: 'object',
      properties: { [STEERING]: { enum: [STEERING], ...described }, b: { const: STEERING } },
    },
  });

  beforeEach(() => {
    const block = { type: 'text', text: STEERING };
    results = {
      initialize: {
        protocolVersion: '2025-11-25',
        serverInfo: { name: STEERING, title: STEERING, version: STEERING },
        instructions: STEERING,
        capabilities: { tools: {}, prompts: {}, resources: {}, logging: {} },
      },
      'logging/setLevel': {},
      'tools/list': {
        tools: [tool(STEERING), tool('plain'), { name: `::${STEERING}`, inputSchema: schema }],
      },
      'prompts/list': { prompts: [{ name: STEERING, ...described, arguments: [{ name: STEERING }] }] },
      'resources/list': { resources: [{ uri: STEERING, name: STEERING, ...described }] },
      'resources/templates/list': { resourceTemplates: [{ uriTemplate: STEERING, name: STEERING }] },
      'tools/call': { content: [block], isError: true, structuredContent: { [STEERING]: STEERING } },
      'prompts/get': { messages: [{ role: STEERING, content: block }] },
      'resources/read': { contents: [{ uri: STEERING, text: STEERING }] },
    };
  });

  const MODES: readonly (readonly string[])[] = [
    ['inspect'],
    ...['summary', 'mcp', 'toolwright'].map((format) => ['inspect', '--format', format]),
    ['inspect', '--json'],
    ...[[], ['--schema'], ['--names'], ['--json']].map((more) => ['list', ...more]),
    ...[[], ['--json'], ['--verbose'], ['--dry-run']].map((more) => ['call', 'plain', ...more]),
    ['call', 'other'],
    ['call', 'plain', '--prompt'],
    ['call', 'a://b'],
    ['tokens', '--budget', '1'],
    ...['text', 'json', 'markdown', 'github', 'sarif'].map((format) => ['diff', 'OLD', '--format', format]),
  ];
  const raw = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

  test.each(MODES.map((mode) => [mode.join(' '), mode] as const))(
    'steers no terminal, and gives CI no command: %s',
    async (_name, mode) => {
      const shown = await run(mode, true);
      expect(`${shown.stdout}${shown.stderr}`).not.toMatch(raw);
      const { code, stdout, stderr } = await run(mode, false);
      expect(code).toBeLessThan(70);
      const lines = `${stdout}${stderr}`.split(/[\n\r\u2028\u2029]/);
      // What `diff` itself says to GitHub
      const own = /^::(?:error|warning|notice) file=/;
      expect(lines.filter((line) => /^[\s\u0085]*::/.test(line) && !own.test(line))).toEqual([]);
      expect(lines.filter((line) => /##(?:vso|teamcity)?\[/.test(line) && !own.test(line))).toEqual([]);
    },
  );

  test('stays what it is as JSON', async () => {
    const inspected = JSON.parse((await run(['inspect', '--json'], true)).stdout) as { instructions: string };
    expect(inspected.instructions).toBe(STEERING);
    const { stdout, stderr } = await run(['call', 'plain', '--json'], false);
    expect(JSON.parse(stdout)).toMatchObject({ content: [{ text: STEERING }] });
    expect(JSON.parse(stderr.trim().split('\n').at(-1) ?? '')).toMatchObject({
      error: { message: STEERING },
    });
  });

  test('breaks out of no row of the summary', async () => {
    await run(['diff', 'OLD', '--format', 'github'], false);
    const summary = readFileSync(file('summary.md'), 'utf8');
    const rows = summary.split('\n').filter((line) => line.includes('add-mask'));
    expect(rows.length).toBeGreaterThan(3);
    expect(summary).not.toMatch(raw);
    for (const row of rows) expect(row).toMatch(/^\| safe \| `.*` \| .* \|$/);
  });
});

describe('a line break in what a server says', () => {
  const BREAKS = ['\n', '\r', '\r\n', '\u000b', '\u000c', '\u0085', '\u2028', '\u2029', '\n\t'];
  const ROWS = BREAKS.flatMap((each) => ['FORGED', 'fix:FORGED', 'user:', '│'].map((row) => each + row));
  const FORGED = `x${ROWS.join('')}`;
  const WRONG = { type: 'object', properties: { [FORGED]: { type: 5 } } };
  const described = { title: FORGED, description: FORGED };
  const tool = (name: string, keys = ['a', FORGED]) => {
    const action = { enum: keys, ...described };
    const properties = { action, [FORGED]: { enum: [FORGED], ...described } };
    return { name, ...described, inputSchema: { type: 'object', properties, required: ['action'] } };
  };

  beforeEach(() => {
    results = {
      initialize: {
        protocolVersion: '2025-11-25',
        serverInfo: { name: FORGED, title: FORGED, version: FORGED },
        instructions: FORGED,
        capabilities: { tools: {}, prompts: {}, resources: {} },
      },
      'tools/list': { tools: [tool(FORGED), tool('plain'), tool('other', [])] },
      'prompts/list': { prompts: [{ name: FORGED, ...described, arguments: [{ name: FORGED }] }] },
      'resources/list': { resources: [{ uri: FORGED, name: FORGED, ...described }] },
      'resources/templates/list': { resourceTemplates: [{ uriTemplate: FORGED, name: 'template' }] },
      'tools/call': {
        content: [
          { type: 'image', mimeType: FORGED, data: '' },
          { type: 'resource_link', name: FORGED, uri: FORGED },
          { type: 'resource', resource: { uri: FORGED, mimeType: FORGED, blob: '' } },
        ],
      },
      'prompts/get': { messages: [{ role: FORGED, content: { type: 'text', text: 'plain' } }] },
    };
  });

  const MODES: readonly (readonly string[])[] = [
    ['inspect'],
    ...[[], ['--names'], ['--schema']].map((more) => ['list', ...more]),
    ['call', 'plain'],
    ['call', 'plain', '--dry-run'],
    ...['none', 'plain.none', 'other.none', 'template', 'a://b'].map((name) => ['call', name]),
    ['call', 'plain', '--prompt'],
    ['tokens', '--budget', '1'],
    ...['text', 'markdown', 'github'].map((format) => ['diff', 'OLD', '--format', format]),
  ];

  const forgedLines = async (mode: readonly string[]) => {
    const shown = [await run(mode, true), await run(mode, false)];
    const lines = shown.map(({ stdout, stderr }) => `${stdout}${stderr}`).join('\n');
    return lines
      .split(/[\n\r\v\f\u0085\u2028\u2029]/)
      .filter((line) => /^\s{0,3}(?:fix:)?FORGED|^user:/.test(line));
  };

  test.each(MODES.map((mode) => [mode.join(' '), mode] as const))(
    'begins no line of %s',
    async (_name, mode) => {
      expect(await forgedLines(mode)).toEqual([]);
    },
  );

  test.each<[string, Answer]>([
    ['a protocol error', () => ({ error: { code: -32_000, message: FORGED } })],
    ['a refusal', (_, response) => response.writeHead(500).end(FORGED)],
    [
      'a challenge',
      (_, response) =>
        response
          .writeHead(401, { 'www-authenticate': 'Bearer resource_metadata="https://a.example/"' })
          .end(FORGED),
    ],
    ['a list with a wrong member', () => ({ result: { tools: [{ name: 'a', inputSchema: WRONG }] } })],
  ])('begins no line of the error for %s', async (_name, fail) => {
    failure = (received, response) =>
      received.message.method === 'tools/list' ? (fail(received, response) ?? PENDING) : undefined;
    expect(await forgedLines(['list'])).toEqual([]);
    expect((await run(['list'], false)).stderr).toContain('FORGED');
  });
});

function filled(command: readonly string[], old = lock('empty.json', {})): readonly string[] {
  const places = new Map([
    ['SERVER', server.url],
    ['LOCK', old],
  ]);
  return command.map((each) => places.get(each) ?? each);
}

const FAULTY: readonly (readonly [name: string, tools: unknown])[] = [
  ['a schema that is nested 20,000 deep', [{ name: 'a', inputSchema: DEEP }]],
  ['a name that is a number, and no item', [{ name: 5 }, null]],
  ['no item', [null]],
  ['no schema', [{ name: 'a' }]],
  ['a schema that is a list', [{ name: 'a', inputSchema: [] }]],
  ['a description that is an object', [{ name: 'a', description: {}, inputSchema: schema }]],
  [
    'hints that cannot be written',
    [{ name: 'a', annotations: { readOnlyHint: { toString: 1 } }, inputSchema: schema }],
  ],
  ['actions of its own', [{ name: 'a', actions: 5, inputSchema: schema }]],
  ['groups of its own', [{ name: 'a', groups: { a: 5 }, inputSchema: schema }]],
  ...(
    [
      ['properties', [1]],
      ['properties', { a: null }],
      ['required', 5],
      ['type', 5],
      ['enum', 'a'],
      ['anyOf', {}],
      ['allOf', [5]],
      ['items', 'a'],
      ['$ref', 5],
      ['description', 5],
    ] as const
  ).map(([keyword, value]) => {
    const inputSchema = { type: 'object', properties: { a: { [keyword]: value } } };
    return [`a field with a wrong ${keyword}`, [{ name: 'a', inputSchema }]] as const;
  }),
  [
    'a reference to what is not a schema',
    [{ name: 'a', inputSchema: { properties: { a: { $ref: '#/default' } }, default: { enum: 5 } } }],
  ],
];

const COMMANDS: readonly (readonly string[])[] = [
  ['inspect', 'SERVER'],
  ['list', 'SERVER'],
  ['call', 'SERVER', 'a', 'a=1'],
  ['tokens', 'SERVER'],
  ['diff', 'LOCK', 'SERVER'],
];

describe.each(FAULTY)('a server whose tools have %s', (_name, tools) => {
  test.each(COMMANDS.map((command) => [command.join(' '), command] as const))(
    '%s names its fault',
    async (_line, command) => {
      results = { 'tools/list': { tools } };
      const args = filled(command);
      const { code, stderr } = await runInProcess(args);
      expect(stderr).toMatch(
        /^TW_CLIENT_ANSWER: http\S+ gave an answer to tools\/list that a client cannot use\./,
      );
      expect(code).toBe(4);
    },
  );

  test.each(['inspect', 'list', 'tokens', 'diff'])('in a lock file, %s names its fault', async (command) => {
    const path = lock('faulty.json', { tools });
    const args = command === 'diff' ? [lock('empty.json', {}), path] : [path];
    const { code, stderr } = await runInProcess([command, ...args]);
    expect(stderr).toMatch(/^TW_CLI_LOCK: \S+faulty\.json (?:has a wrong list: tools\[|is nested deeper)/);
    expect(code).toBe(2);
  });
});

describe('what is strange and right', () => {
  const tools = ['__proto__', 'constructor', 'toString'].map((name) => ({
    name,
    title: null,
    inputSchema: JSON.parse(
      '{"type":"object","required":null,"properties":{"__proto__":{"type":"string","required":true,"enum":null}}}',
    ) as object,
  }));
  const all = COMMANDS.map((command) => command.map((each) => (each === 'a' ? '__proto__' : each)));

  test.each(all.map((command) => [command.join(' '), command] as const))(
    'passes: %s',
    async (_line, command) => {
      results = { 'tools/list': { tools }, 'tools/call': { content: [] } };
      const args = filled(command);
      const { code, stderr } = await runInProcess(args);
      expect([code, stderr.replace('The answer has no content.\n', '')]).toEqual([0, '']);
    },
  );
});

describe('a result that cannot be read is the fault of the server', () => {
  test.each([
    [['call', 'SERVER', 'a'], 'tools/call', { content: [null] }],
    [['call', 'SERVER', 'a'], 'tools/call', { content: [{ type: 'text' }] }],
    [['call', 'SERVER', 'a'], 'tools/call', { content: [{ type: 'image', data: 5 }] }],
    [['call', 'SERVER', 'a', '--json'], 'tools/call', { content: [], structuredContent: DEEP }],
    [['call', 'SERVER', 'a', '--prompt'], 'prompts/get', { messages: 5 }],
    [['call', 'SERVER', 'a', '--prompt'], 'prompts/get', { messages: [{ role: 'user' }] }],
    [['call', 'SERVER', 'a://b'], 'resources/read', { contents: [null] }],
    [['inspect', 'SERVER'], 'initialize', { protocolVersion: '2025-11-25', capabilities: 5 }],
  ])('%j with a wrong result of %s', async (command, method, result) => {
    results = { 'tools/list': { tools: [{ name: 'a', inputSchema: schema }] }, [method]: result };
    const { code, stderr } = await runInProcess(filled(command));
    // Without capabilities, it offers nothing
    const [, named = ''] = /(TW_\w+)/.exec(stderr) ?? [];
    expect([code, named]).toEqual(method === 'initialize' ? [0, ''] : [4, 'TW_CLIENT_ANSWER']);
  });
});

test('no list of a server is a mistake of the command', async () => {
  const value = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constant(schema));
  const names = [
    'name',
    'inputSchema',
    'outputSchema',
    'description',
    'annotations',
    'title',
    '_meta',
    'actions',
  ];
  const keywords = [
    'type',
    'properties',
    'enum',
    'const',
    'items',
    'anyOf',
    'required',
    '$ref',
    '$defs',
    'description',
  ];
  const field = fc.dictionary(fc.constantFrom(...keywords), value, { maxKeys: 3 });
  const tool = fc
    .tuple(fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 2 }), field)
    .map(([more, a]) => ({ name: 'a', inputSchema: { type: 'object', properties: { a } }, ...more }));
  await fc.assert(
    fc.asyncProperty(
      fc.array(tool, { minLength: 1, maxLength: 2 }),
      fc.constantFrom(...COMMANDS),
      async (tools, command) => {
        results = { 'tools/list': { tools }, 'tools/call': { content: [] } };
        const old = lock('other.json', { tools: [{ name: 'a', inputSchema: schema }] });
        const args = filled(command, old);
        const { code, stderr } = await runInProcess(args);
        expect([code === 70, stderr.includes('TW_CLI_BUG')]).toEqual([false, false]);
      },
    ),
    { numRuns: 60 },
  );
});
