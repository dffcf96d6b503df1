import type { EvalCase } from '../../evals/index.ts';
import type { McpApplication } from '../../index.ts';
import { REDACTED } from '../../errors/redact.ts';
import { SURFACES } from '../option-values.ts';
import { didYouMean } from '../../shared/did-you-mean.ts';
import { isPlainObject, membersOf, parseJson, type PlainObject } from '../../shared/json.ts';
import type { JsonSchema } from '../../shared/json-schema.ts';

/** Requests that no tool of a server answers. */
const NOTHING_TO_CALL = [
  'Thank you, that is all for today.',
  'What is the difference between a list and a set?',
  'Wait a moment, I will be right back.',
  'Say that again in one sentence, please.',
];
/** A `none` case for so many others. */
const CASES_FOR_A_NONE = 7;

/** They call the action that they name, on `progressive`. */
const CARRIERS = new Set(['read_action', 'call_action']);

type Listed = ReturnType<McpApplication['registry']['listed']>[number];

/** A case for each action, and `none` cases. A person has to write the requests: these have the words of descriptions. */
export function draftCases(app: McpApplication): readonly EvalCase[] {
  const cases = app.registry.listed(app.registry.surfaceNamed('flat')).flatMap(draftCase);
  const count = Math.min(NOTHING_TO_CALL.length, Math.ceil(cases.length / CASES_FOR_A_NONE));
  const none = NOTHING_TO_CALL.slice(0, count).map((ask, place): EvalCase => ({
    name: `nothing to call ${String(place + 1)}`,
    ask,
    expect: 'none',
  }));
  return [...cases, ...none];
}

function draftCase({ actions: [action], description, inputSchema }: Listed): readonly EvalCase[] {
  if (action === undefined) return [];
  const name = writeAction(action);
  const input = sampleObject(inputSchema);
  const call = Object.keys(input).length === 0 ? { action: name } : { action: name, input };
  return [{ name, ask: `TODO as a person would say it: ${description}`, expect: [call] }];
}

function sampleObject({ required = [], properties = {} }: JsonSchema): PlainObject {
  return Object.fromEntries(required.map((name) => [name, sampleValue(membersOf(properties)[name])]));
}

/** By type. */
const SAMPLES: Readonly<Record<string, (schema: PlainObject) => unknown>> = {
  integer: ({ minimum }) => (typeof minimum === 'number' ? minimum : 1),
  number: ({ minimum }) => (typeof minimum === 'number' ? minimum : 1),
  boolean: () => true,
  array: ({ minItems, items }) => (typeof minItems === 'number' && minItems > 0 ? [sampleValue(items)] : []),
  object: (schema) => sampleObject(schema),
};

/** A value that a schema may accept; a person corrects the others. */
function sampleValue(given: unknown): unknown {
  const schema = membersOf(given);
  const { const: only, default: usual, enum: listed, examples, type, minLength } = schema;
  const first = (list: unknown): unknown => (Array.isArray(list) ? (list as unknown[])[0] : undefined);
  const known = only ?? usual ?? first(examples) ?? first(listed);
  if (known !== undefined) return known;
  const sample = SAMPLES[String(first(type) ?? type)];
  return sample?.(schema) ?? 'TODO'.padEnd(typeof minLength === 'number' ? minLength : 0, '.');
}

/** A call that failed. */
interface FailedCall {
  readonly tool: string;
  /** Undefined where only the arguments say it. */
  readonly action: unknown;
  readonly args: PlainObject;
  readonly code: string;
  /** What the server thinks was meant. */
  readonly suggestion: unknown;
}

/**
 * Cases of the calls that failed in production, equal ones once. The request is not known there, and neither is what was
 * right: a person writes both. Values that were masked are left out.
 * @param text JSON lines of a log, of the traffic of the explorer or of one of its sessions
 */
export function casesFromLog(text: string, app: McpApplication): readonly EvalCase[] {
  const listed = SURFACES.flatMap((name) => app.registry.listed(app.registry.surfaceNamed(name)));
  const known = [...new Set(listed.flatMap(({ actions }) => actions.map(writeAction)))];
  const failed = text.split('\n').flatMap((line) => readFailure(parseJson(line)));
  const drafts = failed.flatMap((call) => draftFailure(call, listed, known));
  const different = new Map(drafts.map((draft) => [JSON.stringify(draft), draft]));
  return [...different.values()].map((draft, place) => ({
    name: `failed call ${String(place + 1)}`,
    ...draft,
  }));
}

function draftFailure(
  { tool, action, args, code, suggestion }: FailedCall,
  listed: readonly Listed[],
  known: readonly string[],
): readonly Omit<EvalCase, 'name'>[] {
  const { discriminator = 'action', actions } = listed.find(({ name }) => name === tool) ?? {};
  // What finds actions calls none
  if (actions?.length === 0) return [];
  const { [discriminator]: chosen, ...others } = args;
  const key = action ?? chosen;
  const isCarried = CARRIERS.has(tool);
  const named = [...(isCarried ? [] : [tool]), ...(typeof key === 'string' ? [key] : [])].join('.');
  const own = actions?.find((each) => !isCarried && (actions.length === 1 || each.key === key));
  const found = own === undefined ? known.find((each) => each === named) : writeAction(own);
  const { arguments: carried } = args;
  const input = withoutMasked(isPlainObject(carried) ? carried : others) as PlainObject;
  const draft = draftCall(found, { named, meant: `${tool}.${String(suggestion)}`, known });
  return [
    {
      ask: `TODO what the person asked for; the call of ${named} failed with ${code}${draft.hint}`,
      expect: [{ action: draft.action, input }],
      tags: ['production', code],
    },
  ];
}

/** The action to begin with, and what to say of one that is not there. */
function draftCall(
  found: string | undefined,
  {
    named,
    meant,
    known,
  }: { readonly named: string; readonly meant: string; readonly known: readonly string[] },
): { readonly action: string; readonly hint: string } {
  if (found !== undefined) return { action: found, hint: '' };
  // A case names an action, also where the call named a tool alone
  const whole = named.includes('.') ? named : `${named}.TODO`;
  const suggested = known.includes(meant) ? meant : whole;
  return { action: suggested, hint: ` (${didYouMean(suggested, known) ?? 'no action has this name'})` };
}

function writeAction({ root, key }: Listed['actions'][number]): string {
  return `${root}.${key}`;
}

/** A line of a log says the call itself; traffic and sessions have its request and its answer. */
function readFailure(line: unknown): readonly FailedCall[] {
  const { code: logged, isError, request, response, messages, ...said } = membersOf(line);
  const passed = Array.isArray(messages)
    ? messages.map((each) => membersOf(each)['message'])
    : [request, response];
  const [params = {}] = passed.flatMap(readCall);
  const error = readError(passed.at(-1));
  const code = logged ?? error['code'] ?? (isError === true ? 'FAILED' : undefined);
  const { name = said['tool'] ?? error['tool'] } = params;
  // The answer knows the action, whatever the surface calls it
  const { tool, action } = error['action'] === undefined ? { tool: name, action: said['action'] } : error;
  if (typeof tool !== 'string' || typeof code !== 'string') return [];
  return [{ tool, action, args: membersOf(params['arguments']), code, suggestion: error['suggestion'] }];
}

/** The params of a request that calls a tool. */
function readCall(message: unknown): readonly PlainObject[] {
  const { method, params } = membersOf(message);
  return method === 'tools/call' ? [membersOf(params)] : [];
}

/** Why a call failed, as the tool or the protocol says it; empty where it did not. */
function readError(answer: unknown): PlainObject {
  const { result, error } = membersOf(answer);
  const { isError, _meta } = membersOf(result);
  const said = membersOf(_meta)['toolwright/error'];
  if (isPlainObject(said)) return said;
  if (error !== undefined) return { code: String(membersOf(error)['code']) };
  return isError === true ? { code: 'FAILED' } : {};
}

function withoutMasked(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((each) => !isMasked(each)).map(withoutMasked);
  if (!isPlainObject(value)) return value;
  const kept = Object.entries(value).filter(([, each]) => !isMasked(each));
  return Object.fromEntries(kept.map(([name, each]) => [name, withoutMasked(each)]));
}

function isMasked(value: unknown): boolean {
  return typeof value === 'string' && value.includes(REDACTED);
}
