import type { EvalCase } from '../../evals/index.ts';
import type { McpApplication } from '../../index.ts';
import { REDACTED } from '../../errors/redact.ts';
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
  const name = `${action.root}.${action.key}`;
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

/** A call of a log or of recorded traffic that failed. */
interface FailedCall {
  readonly tool: string;
  readonly action: string | undefined;
  readonly input: PlainObject;
  readonly code: string;
}

/**
 * Cases of the calls that failed in production. The request is not known there, and neither is what was right: a person
 * writes both. Values that were masked are left out.
 * @param text JSON lines of a log, of the traffic of the explorer or of one of its sessions
 */
export function casesFromLog(text: string, app: McpApplication): readonly EvalCase[] {
  const known = app.registry
    .listed(app.registry.surfaceNamed('flat'))
    .flatMap(({ actions }) => actions.map(({ root, key }) => `${root}.${key}`));
  const calls = text.split('\n').flatMap((line) => readFailure(parseJson(line)));
  return calls.map(({ tool, action, input, code }, place) => {
    const wanted = action === undefined ? tool : `${tool}.${action}`;
    const found = known.includes(wanted) ? wanted : known.find((each) => each.replaceAll('.', '_') === tool);
    const hint = found === undefined ? (didYouMean(wanted, known) ?? 'no action has this name') : '';
    return {
      name: `failed call ${String(place + 1)}`,
      ask: `TODO what the person asked for; the call of ${wanted} failed with ${code}${hint === '' ? '' : ` (${hint})`}`,
      expect: [{ action: found ?? wanted, input: withoutMasked(input) as PlainObject }],
      tags: ['production', code],
    };
  });
}

function readFailure(line: unknown): readonly FailedCall[] {
  const { tool, action, code, isError } = membersOf(line);
  const call = findCall(line, 0);
  const found = typeof tool === 'string' ? tool : call?.['name'];
  const failure = typeof code === 'string' ? code : findCode(line, 0);
  if (typeof found !== 'string' || (failure === undefined && isError !== true)) return [];
  const { action: chosen, ...input } = membersOf(call?.['arguments']);
  const key = typeof action === 'string' ? action : chosen;
  return [
    { tool: found, action: typeof key === 'string' ? key : undefined, input, code: failure ?? 'FAILED' },
  ];
}

const MAX_DEPTH = 12;

/** The params of a `tools/call`, wherever a log has it. */
function findCall(value: unknown, depth: number): PlainObject | undefined {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return undefined;
  const { method, params } = membersOf(value);
  if (method === 'tools/call' && isPlainObject(params)) return params;
  for (const member of Object.values(value)) {
    const found = findCall(member, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The code of an error that a tool answered. */
function findCode(value: unknown, depth: number): string | undefined {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return undefined;
  const { code } = membersOf(membersOf(value)['toolwright/error']);
  if (typeof code === 'string') return code;
  for (const member of Object.values(value)) {
    const found = findCode(member, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
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
