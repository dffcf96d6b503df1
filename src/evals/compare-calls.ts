import { isSameJson } from '../shared/canonical-json.ts';
import { isPlainObject, type PlainObject } from '../shared/json.ts';
import type { EvalCase, ExpectedCall } from './eval-case.ts';
import { FIND_ACTIONS } from './surface-tools.ts';

/** A call that a model made. */
export interface EvalCall {
  /** The name of the tool, as clients of the surface know it. */
  readonly tool: string;
  /** The tool and the key of the action; undefined where the call names none. */
  readonly action?: string;
  /** What the action was given; all arguments where the call names no action. */
  readonly input: PlainObject;
  /** The code of the error, where the result is one. */
  readonly code?: string;
}

/** What is right about the calls of a run; what does not apply is left out. */
export interface EvalChecks {
  /** The first action that was called is an expected one. */
  readonly selection?: boolean;
  /** Nothing was called where nothing should be. */
  readonly noCall?: boolean;
  /** The first call of an expected action was accepted by its checks. */
  readonly validArguments?: boolean;
  /** Each expected call was made with its input. */
  readonly expectedArguments?: boolean;
  /** After a first call that was not accepted, the second one was. */
  readonly repaired?: boolean;
}

interface Comparison {
  readonly checks: EvalChecks;
  readonly extraCalls: number;
  readonly why?: string;
}

/** Codes of calls that did not get as far as the handler because of what the model wrote. */
const INVALID = new Set([
  ...['MISSING_DISCRIMINATOR', 'INVALID_DISCRIMINATOR', 'UNKNOWN_ACTION', 'UNKNOWN_TOOL', 'NOT_READ_ONLY'],
  ...['INVALID_ARGUMENTS', 'VALIDATION_FAILED', 'IDEMPOTENCY_KEY_REQUIRED'],
]);
/** The right call was made, and a person has to agree: there is none in an eval. */
const ASKS_A_PERSON = new Set([
  'CONSENT_REQUIRED',
  'CONSENT_UNAVAILABLE',
  'CONSENT_DECLINED',
  'CLIENT_UNREACHABLE',
  'CLIENT_CAPABILITY_MISSING',
]);

/** Compares the calls of a run with those that its case expects. */
export function compareCalls({ expect, order = 'any' }: EvalCase, made: readonly EvalCall[]): Comparison {
  const calls = made.filter(({ tool }) => tool !== FIND_ACTIONS);
  if (expect === 'none') {
    const noCall = calls.length === 0;
    const why = noCall ? {} : { why: `Nothing should be called, and ${sayCall(calls[0])} was.` };
    return { checks: { noCall }, extraCalls: calls.length, ...why };
  }
  const wanted = new Set(expect.map(({ action }) => action));
  const firstOwn = calls.findIndex(({ action }) => action !== undefined && wanted.has(action));
  const [first, second] = firstOwn === -1 ? [] : calls.slice(firstOwn).filter(isCallOf(calls[firstOwn]));
  const isValid = first === undefined ? undefined : !isInvalid(first);
  const matched = matchCalls(expect, calls, order);
  const missing = expect.find((_, place) => matched[place] === undefined);
  const count = matched.filter((each) => each !== undefined).length;
  const refused = calls.filter(isInvalid).length;
  return {
    checks: {
      selection: calls[0]?.action !== undefined && wanted.has(calls[0].action),
      ...(isValid === undefined ? {} : { validArguments: isValid }),
      expectedArguments: missing === undefined,
      ...(isValid === false ? { repaired: second !== undefined && !isInvalid(second) } : {}),
    },
    extraCalls: Math.max(0, calls.length - count - refused),
    ...(missing === undefined ? {} : { why: sayMissing(missing, calls, order) }),
  };
}

const isCallOf =
  (first: EvalCall | undefined) =>
  ({ action, code }: EvalCall): boolean =>
    action === first?.action || (action === undefined && code !== undefined);

function isInvalid({ code }: EvalCall): boolean {
  return code !== undefined && INVALID.has(code);
}

/** For each expected call the place of the one that answers it. Each call answers one. */
function matchCalls(
  expect: readonly ExpectedCall[],
  calls: readonly EvalCall[],
  order: 'any' | 'exact',
): readonly (number | undefined)[] {
  const used = new Set<number>();
  let from = 0;
  return expect.map((wanted) => {
    const place = calls.findIndex(
      (call, at) => !used.has(at) && (order === 'any' || at >= from) && answers(wanted, call),
    );
    if (place === -1) return undefined;
    used.add(place);
    from = place + 1;
    return place;
  });
}

function answers({ action, input = {} }: ExpectedCall, call: EvalCall): boolean {
  if (call.action !== action) return false;
  if (call.code !== undefined && !ASKS_A_PERSON.has(call.code)) return false;
  return typeof input === 'function' ? input(call.input) : hasMembers(call.input, input);
}

/** Whether a value has all that another one has, in depth; lists are equal in length. */
function hasMembers(value: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted))
    return (
      Array.isArray(value) &&
      value.length === wanted.length &&
      wanted.every((each, place) => hasMembers(value[place], each))
    );
  if (!isPlainObject(wanted)) return isSameJson(value, wanted);
  return (
    isPlainObject(value) &&
    Object.entries(wanted).every(
      ([name, each]) => Object.hasOwn(value, name) && hasMembers(value[name], each),
    )
  );
}

function sayMissing({ action }: ExpectedCall, calls: readonly EvalCall[], order: 'any' | 'exact'): string {
  const own = calls.filter((call) => call.action === action);
  const last = own.at(-1);
  if (last === undefined) {
    const instead = calls.length === 0 ? 'nothing was' : `${calls.map(sayCall).join(', ')} was`;
    return `${action} was not called; ${instead}.`;
  }
  if (last.code !== undefined) return `${action} was called and failed: ${last.code}.`;
  const place = order === 'exact' ? ', or at another place' : '';
  return `${action} was called with other arguments${place}: ${JSON.stringify(last.input).slice(0, 200)}.`;
}

function sayCall(call: EvalCall | undefined): string {
  return call?.action ?? call?.tool ?? '';
}
