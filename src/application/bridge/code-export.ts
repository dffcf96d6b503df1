import type { AuthInfo } from '../../call/request-context.ts';
import type { CallToolResult } from '../../call/results.ts';
import { ERROR_META_KEY } from '../../call/result-helpers.ts';
import type { ToolDefinition } from '../../compile/tools/compiled-tool.ts';
import { ToolError } from '../../errors/tool-error.ts';
import type { LocalTools } from '../../runtime/local-calls.ts';
import { writeDocs, writeKey, writeType } from '../../schema/write-type.ts';
import { nearestName } from '../../shared/did-you-mean.ts';
import { isObject, withoutUndefined } from '../../shared/json.ts';
import type { SummarizedTool } from '../../shared/tool-summary.ts';
import { asksFirst } from './agent-tools.ts';
import { resultText } from './model-call.ts';

/** A call of code that a person has to agree to. */
export interface CodeApproval {
  /** The names of the group and the action: `tasks.delete`. */
  readonly path: string;
  /** What the code gave to the function. */
  readonly input: unknown;
}

/** For whom actions are exported to code. */
export interface CodeExportOptions {
  /** The caller: there are the actions that it may see, and calls run for it. Default: as for `app.call`. */
  readonly authInfo?: AuthInfo;
  /**
   * Asks a person about a call that needs consent; `true` agrees to it. Default: such calls are refused with
   * `CONSENT_UNAVAILABLE`.
   */
  readonly approve?: (call: CodeApproval) => boolean | Promise<boolean>;
}

/** The actions of an application for code that a model writes. */
export interface CodeExport {
  /**
   * TypeScript that declares the constant `actions`, with an object for each group and an async function for each action:
   * `actions.tasks.list(input)`.
   */
  readonly declarations: string;
  /**
   * Runs a call of the code. It resolves to the structured content where the action declares an output, and to the text of
   * the result elsewhere.
   *
   * @param path the names after `actions`, joined by dots
   * @param input the only argument of the function. Default: no arguments
   * @throws ToolError with the code and the text that a client would get, so that the code can catch it
   * @example
   * const { call } = await app.export('code');
   * const tasks = await call('tasks.list', { workspaceId: 'w1' });
   */
  call(path: string, input?: unknown, options?: { readonly signal?: AbortSignal }): Promise<unknown>;
}

/** What is exported, and for whom. */
interface CodeSource extends CodeExportOptions {
  /** Tools that are one action each. */
  readonly definitions: readonly ToolDefinition[];
  readonly call: LocalTools['call'];
}

/** A name in the declarations: an action, a group, or both. */
interface Member {
  docs: string | undefined;
  action: ToolDefinition | undefined;
  readonly members: Map<string, Member>;
}

const STEP = '  ';
/** A longer name is not repeated. */
const MAX_PATH_LENGTH = 100;
const LEAD =
  '/** All functions are async, and take one object. One that fails throws an error whose message says what is wrong. */';

/** Writes the declarations of all actions, and runs the calls of code. */
export function exportCode({ definitions, call: run, authInfo, approve }: CodeSource): CodeExport {
  const byPath = new Map<string, ToolDefinition>();
  const root: Member = { docs: undefined, action: undefined, members: new Map() };
  for (const definition of definitions) {
    const names = choosePath(definition, byPath);
    byPath.set(names.join('.'), definition);
    addMember(root, names, definition);
  }
  return Object.freeze({
    declarations: `${LEAD}\ndeclare const actions: ${writeMembers(root, '')};\n`,
    call: async (path: string, given: unknown = {}, { signal }: { readonly signal?: AbortSignal } = {}) => {
      const definition = byPath.get(path);
      if (definition === undefined) throw unknownPath(path, [...byPath.keys()]);
      const isAsked = approve !== undefined && asksFirst(definition, [], given);
      // Code that shares the object could change it while a person reads it
      const input = isAsked ? copyInput(given) : given;
      const answer: unknown = isAsked && (await approve({ path, input }));
      if (isAsked && answer !== true) throw declined();
      const options = withoutUndefined({
        authInfo,
        signal,
        consent: isAsked ? ('granted' as const) : undefined,
      });
      return readResult(await run(definition.name, input, options), definition);
    },
  });
}

/** The names of the group and the key; another version of an action has the name of its tool in place of its own. */
function choosePath(
  definition: ToolDefinition & SummarizedTool,
  taken: ReadonlyMap<string, unknown>,
): string[] {
  const { root, keys } = definition.summary?.() ?? { root: undefined, keys: [] };
  const [key] = keys;
  if (root === undefined || key === undefined) return [definition.name];
  const names = [root, ...key.split('.')];
  return taken.has(names.join('.')) ? [...names.slice(0, -1), definition.name] : names;
}

function addMember(
  root: Member,
  names: readonly string[],
  definition: ToolDefinition & SummarizedTool,
): void {
  let member = root;
  for (const [depth, name] of names.entries()) {
    const docs = depth === 0 ? definition.summary?.().description : undefined;
    const next = member.members.get(name) ?? { docs, action: undefined, members: new Map<string, Member>() };
    member.members.set(name, next);
    member = next;
  }
  member.action = definition;
}

function writeMembers({ action, members }: Member, indent: string): string {
  const inner = `${indent}${STEP}`;
  const own = action === undefined ? [] : [`${inner}${writeSignature(action, inner)};`];
  const others = [...members].map(([name, member]) => writeMember(name, member, inner));
  return `{\n${[...own, ...others].join('\n')}\n${indent}}`;
}

function writeMember(name: string, member: Member, indent: string): string {
  const { docs, action, members } = member;
  const said = writeDocs([docs, action?.description], indent);
  const text =
    action === undefined || members.size > 0
      ? `: ${writeMembers(member, indent)}`
      : writeSignature(action, indent);
  return `${said}${indent}${writeKey(name)}${text};`;
}

/** `(input: { id: string }): Promise<string>` */
function writeSignature({ inputSchema, outputSchema }: ToolDefinition, indent: string): string {
  const { properties = {}, required = [] } = inputSchema;
  const sign = required.length === 0 ? '?' : '';
  const takes = Object.keys(properties).length > 0 || required.length > 0;
  const input = takes ? `input${sign}: ${writeType(inputSchema, indent)}` : '';
  return `(${input}): Promise<${outputSchema === undefined ? 'string' : writeType(outputSchema, indent)}>`;
}

function readResult(result: CallToolResult, { outputSchema }: ToolDefinition): unknown {
  if (result.isError === true) throw new ToolError(readCode(result), resultText(result));
  return outputSchema === undefined ? resultText(result) : result.structuredContent;
}

function readCode({ _meta: meta }: CallToolResult): string {
  const facts = meta?.[ERROR_META_KEY];
  return isObject(facts) && typeof facts['code'] === 'string' ? facts['code'] : 'TOOL_ERROR';
}

function unknownPath(path: unknown, known: readonly string[]): ToolError {
  // What comes out of a sandbox may be anything
  const name = String(path).slice(0, MAX_PATH_LENGTH);
  const nearest = nearestName(name, known);
  const hint = nearest === undefined ? '' : `; did you mean ${nearest}?`;
  return new ToolError('UNKNOWN_ACTION', `There is no function actions.${name}${hint}`);
}

/** What a person agrees to, and what is done then. @throws ToolError for what is not JSON */
function copyInput(input: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(input)) as unknown;
  } catch {
    throw new ToolError('INVALID_ARGUMENTS', 'The argument of this function has to be JSON');
  }
}

function declined(): ToolError {
  return new ToolError('CONSENT_DECLINED', 'The user did not agree to this call, and nothing was done');
}
