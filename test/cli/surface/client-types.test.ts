import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { writeClientTypes } from '../../../src/cli/surface/client-types.ts';
import { surfaceOfApplication, surfaceOfClient } from '../../../src/cli/surface/read-surface.ts';
import type { Surface, SurfaceTool } from '../../../src/cli/surface/surface.ts';
import { linkInMemory } from '../../../src/client/client-transport.ts';
import { McpClient } from '../../../src/client/mcp-client.ts';
import { createTasksApp } from '../../client/typed/tasks-app.ts';

const surface = (tools: readonly object[], more: object = {}): Surface => ({
  surfaceHash: '',
  server: { name: 'test' },
  tools: tools as readonly SurfaceTool[],
  prompts: [],
  resources: [],
  resourceTemplates: [],
  ...more,
});
const tool = (name: string, properties: object, more: object = {}): object => ({
  name,
  inputSchema: { type: 'object', properties, ...more },
});

/** The type that a file exports. */
function typeIn(text: string): {
  readonly faults: readonly string[];
  readonly tools: ts.Type;
  readonly checker: ts.TypeChecker;
} {
  const host = ts.createCompilerHost({});
  const source = ts.createSourceFile('types.ts', text, ts.ScriptTarget.ES2022, true);
  host.getSourceFile = (name) => (name === 'types.ts' ? source : undefined);
  const options = { noLib: true, types: [], strict: true };
  const program = ts.createProgram(['types.ts'], options, host);
  const checker = program.getTypeChecker();
  const faults = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
  const alias = source.statements.find(ts.isTypeAliasDeclaration);
  if (alias === undefined) throw new Error('It exports no type');
  const type = checker.getTypeFromTypeNode(alias.type);
  const [tools] = type.getProperties().map((each) => checker.getTypeOfSymbolAtLocation(each, alias));
  if (tools === undefined) throw new Error('It has no tools');
  return {
    faults: faults.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' ')),
    tools,
    checker,
  };
}

const inOneLine = (text: string): string => text.replaceAll('"', "'").replaceAll(/\s+/g, ' ');

describe('the types of a server', () => {
  test('are those that the tests of the client are compiled with, from the application and from its lock', async () => {
    const app = await createTasksApp();
    const written = writeClientTypes(await surfaceOfApplication(app));
    await app.close();
    const file = new URL('../../client/typed/tasks-server.ts', import.meta.url);
    expect(inOneLine(written)).toBe(inOneLine(readFileSync(file, 'utf8')));
  });

  test('have the fields of each action also of a server at a distance', async () => {
    const app = await createTasksApp();
    const { client, server } = linkInMemory();
    await app.connect(server);
    const connected = await McpClient.connect(client);
    const written = inOneLine(writeClientTypes(await surfaceOfClient(connected)));
    await connected.close();
    await app.close();
    expect(written).toContain("list: { input: { action: 'list' }");
    expect(written).toContain("finish: { input: { action: 'finish'; ");
    expect(written).not.toMatch(/list: \{ input: \{[^}]*title/);
    expect(written).not.toMatch(/finish: \{ input: \{[^}]*title/);
  });

  test('take a tool with another list of texts as one action', () => {
    const written = writeClientTypes(
      surface([
        tool('issues_list', { state: { enum: ['open', 'closed'] }, page: {} }, { required: ['state'] }),
      ]),
    );
    expect(inOneLine(written)).toContain(
      `issues_list: { '': { input: { state: 'open' | 'closed'; page?: unknown };`,
    );
    expect(written).toContain('choice: never;');
  });

  test('wrap an output that is something other than an object, as results do', () => {
    const list = { key: 'list', inputSchema: { type: 'object' }, unknownFields: 'strict', annotations: {} };
    const output = { type: 'array', items: { $ref: '#/$defs/Id' }, $defs: { Id: { type: 'integer' } } };
    const grouped = tool('tasks', { action: { enum: ['list'] } }, { required: ['action'] });
    const written = writeClientTypes(surface([{ ...grouped, actions: [{ ...list, outputSchema: output }] }]));
    expect(written).toContain('output: { result: number[] };');
    expect(written).toContain('input: { action: "list" };');
  });

  test.each([
    ['task-board', 'TaskBoard'],
    ['3d printer', 'Server3dPrinter'],
    ['任务', 'Server'],
    ['a"; evil(); //\n export const x = 1', 'AEvilExportConstX1'],
    ['', 'Server'],
  ])('of the server %j are called %s', (name, type) => {
    const written = writeClientTypes(surface([], { server: { name } }));
    expect(typeIn(written).faults).toEqual([]);
    expect(written).toContain(`export type ${type} = {`);
    expect(written.split('\n').filter((line) => line.startsWith('export'))).toHaveLength(1);
  });
});

describe('what a stranger writes stays text', () => {
  const NAMES = [
    '__proto__',
    'constructor',
    'a*/b',
    'a\nb',
    '"; }; export const evil = 1; //',
    '\u2028',
    '\u202e',
    '',
    'toString',
    '0',
  ];

  test('in names of tools, actions, fields and prompts, and in descriptions', () => {
    const fields = Object.fromEntries(NAMES.map((name) => [name, { type: 'string', description: name }]));
    const action = { inputSchema: { type: 'object', properties: fields, required: NAMES }, annotations: {} };
    const grouped = {
      ...tool('grouped', { ['a*/']: { enum: NAMES } }, { required: ['a*/'] }),
      actions: NAMES.map((key) => ({ ...action, key, description: `*/ ${key} @ts-expect-error` })),
    };
    const tools = [...NAMES.map((name) => ({ ...tool(name, fields), description: `*/ ${name}` })), grouped];
    const prompts = NAMES.map((name) => ({
      name,
      description: name,
      arguments: [{ name, description: '*/' }],
    }));
    const { faults, tools: type, checker } = typeIn(writeClientTypes(surface(tools, { prompts })));
    expect(faults).toEqual([]);
    // Names with two underscores get a third from the compiler
    const names = (of: ts.Type): readonly string[] =>
      of.getProperties().map(({ name }) => name.replace(/^___/, '__'));
    expect(names(type).toSorted()).toEqual([...NAMES, 'grouped'].toSorted());
    const last = type.getProperty('grouped');
    const actions = names(checker.getTypeOfSymbol(last as ts.Symbol));
    expect(actions.toSorted()).toEqual(NAMES.toSorted());
  });

  test('a name that is listed twice counts once', () => {
    const twice = tool('twice', { id: { type: 'integer' } });
    const prompt = { name: 'ask', arguments: [{ name: 'topic' }, { name: 'topic', required: true }] };
    const written = writeClientTypes(surface([twice, twice], { prompts: [prompt, prompt] }));
    expect(typeIn(written).faults).toEqual([]);
    expect(inOneLine(written)).toContain('topic?: string; }');
  });

  test('and a thousand tools are a file that compiles', () => {
    const tools = Array.from({ length: 1000 }, (_, index) =>
      tool(
        `tool_${String(index)}`,
        { id: { type: 'integer' }, state: { enum: ['a', 'b'] } },
        { required: ['id'] },
      ),
    );
    const { faults, tools: type } = typeIn(writeClientTypes(surface(tools)));
    expect(faults).toEqual([]);
    expect(type.getProperties()).toHaveLength(1000);
  });
});
