import { dereference } from '../../schema/references.ts';
import { writeDocs, writeKey, writeLiteral, writeType } from '../../schema/write-type.ts';
import type { WireTool } from '../../model/index.ts';
import type { JsonSchema } from '../../shared/json-schema.ts';
import { withoutUndefined } from '../../shared/json.ts';
import { visibleLine } from '../../shared/visible-text.ts';
import { discriminatorOf, readTexts } from '../call/find-tool.ts';
import { readActionInput } from './offers.ts';
import type { Surface, SurfacePrompt, SurfaceTool } from './surface.ts';

/** One way to call a tool. */
interface TypedCall {
  /** The action; empty for a tool that is one action by itself. */
  readonly key: string;
  readonly description?: string;
  readonly isDeprecated?: boolean;
  readonly input: JsonSchema;
  readonly output?: JsonSchema;
}

interface TypedTool {
  readonly tool: SurfaceTool;
  /** The argument that chooses the action. */
  readonly choice?: string;
  readonly calls: readonly TypedCall[];
}

const UNKNOWN_OUTPUT = '{ [key: string]: unknown }';
const [MEMBER, CALL, PART] = ['    ', '      ', '        '];

/** A file of TypeScript with one type: the tools and prompts of a server, for `connect()` of toolwright/client. */
export function writeClientTypes(surface: Surface): string {
  const { name = 'server' } = surface.server;
  const type = typeName(name);
  const tools = firstOfEachName(surface.tools).map(typeTool);
  const choices = new Set(tools.flatMap(({ choice }) => choice ?? []));
  const choice = choices.size === 0 ? 'never' : [...choices].map(writeLiteral).join(' | ');
  return [
    `// The tools and prompts of ${visibleLine(JSON.stringify(name))}, for connect<${type}>() of toolwright/client.`,
    '// Written by `toolwright export --for client`: write it again when the server has changed.',
    '',
    `export type ${type} = {`,
    `  tools: {${lines(tools.map(writeTool))}  };`,
    `  prompts: {${lines(firstOfEachName(surface.prompts).map(writePrompt))}  };`,
    `  choice: ${choice};`,
    '};',
    '',
  ].join('\n');
}

/** A faulty server may list a name twice; a type has it once. */
function firstOfEachName<Named extends { readonly name: string }>(items: readonly Named[]): readonly Named[] {
  const byName = new Map<string, Named>();
  for (const item of items) if (!byName.has(item.name)) byName.set(item.name, item);
  return [...byName.values()];
}

function lines(members: readonly string[]): string {
  return members.length === 0 ? '' : `\n${members.join('')}`;
}

/** The name of a server in Pascal case: `task-board` becomes `TaskBoard`. */
function typeName(server: string): string {
  const name = server
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
  if (name === '') return 'Server';
  return /^[A-Za-z]/.test(name) ? name : `Server${name}`;
}

function writeTool({ tool, choice, calls }: TypedTool): string {
  // What a tool says of all its actions would stand beside what each of them says
  const description = choice === undefined ? undefined : (tool.groups?.[''] ?? tool.title);
  const written = calls.map((call) => writeCall(call)).join('');
  return `${writeDocs([description], MEMBER)}${MEMBER}${writeKey(tool.name)}: {\n${written}${MEMBER}};\n`;
}

function writeCall({ key, description, isDeprecated = false, input, output }: TypedCall): string {
  const docs = writeDocs([description, isDeprecated ? '@deprecated' : undefined], CALL);
  const parts = [
    `${PART}input: ${writeType(input, PART)};\n`,
    `${PART}output: ${output === undefined ? UNKNOWN_OUTPUT : writeType(output, PART)};\n`,
  ];
  return `${docs}${CALL}${writeKey(key)}: {\n${parts.join('')}${CALL}};\n`;
}

function writePrompt({ name, description, arguments: args = [] }: SurfacePrompt): string {
  const members = firstOfEachName(args).map((each) => {
    const sign = each.required === true ? '' : '?';
    return `${writeDocs([each.description], CALL)}${CALL}${writeKey(each.name)}${sign}: string;\n`;
  });
  const type = members.length === 0 ? '{ [key: string]: never }' : `{\n${members.join('')}${MEMBER}}`;
  return `${writeDocs([description], MEMBER)}${MEMBER}${writeKey(name)}: ${type};\n`;
}

function typeTool(tool: SurfaceTool): TypedTool {
  const known = tool.actions && new Set(tool.actions.map(({ key }) => key));
  const choice = discriminatorOf(tool as unknown as WireTool, known);
  const calls = choice === undefined ? undefined : typeActions(tool, choice);
  if (choice !== undefined && calls !== undefined) return { tool, choice, calls };
  const { description, inputSchema, outputSchema } = tool;
  const call = { key: '', input: inputSchema, ...withoutUndefined({ description, output: outputSchema }) };
  return { tool, calls: [call] };
}

/** Undefined for a tool that has no actions: another list of texts of it is an argument as others are. */
function typeActions(tool: SurfaceTool, choice: string): readonly TypedCall[] | undefined {
  if (tool.actions !== undefined) {
    return tool.actions.map(({ key, description, deprecated, inputSchema, outputSchema }) => ({
      key,
      isDeprecated: deprecated !== undefined,
      input: withChoice(inputSchema, choice, key),
      ...withoutUndefined({ description, output: asStructured(outputSchema) }),
    }));
  }
  const keys = new Set(readTexts(tool as unknown as WireTool, choice));
  const inputs = [...keys].map((key) => [key, readActionInput(tool.inputSchema, key, choice, keys)] as const);
  const size = Object.keys(tool.inputSchema.properties ?? {}).length - 1;
  const hasOwnFields = inputs.some(([, { properties = {} }]) => Object.keys(properties).length < size);
  if (!hasOwnFields && choice !== 'action') return undefined;
  return inputs.map(([key, input]) => ({
    key,
    input: withChoice(input, choice, key),
    ...withoutUndefined({ output: tool.outputSchema }),
  }));
}

function withChoice(input: JsonSchema, choice: string, key: string): JsonSchema {
  const { properties = {}, required = [] } = input;
  const others = Object.entries(properties).filter(([name]) => name !== choice);
  return {
    ...input,
    type: 'object',
    properties: Object.fromEntries([[choice, { const: key }], ...others]),
    required: [choice, ...required.filter((name) => name !== choice)],
  };
}

/** An output that may be something other than an object is sent as a member of one. */
function asStructured(output: JsonSchema | undefined): JsonSchema | undefined {
  if (output === undefined || dereference(output, output).type === 'object') return output;
  const { $defs, ...result } = output;
  return {
    type: 'object',
    properties: { result },
    required: ['result'],
    ...($defs === undefined ? {} : { $defs }),
  };
}
