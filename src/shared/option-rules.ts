import { describeValue } from './describe-value.ts';
import { nearestName, askWhether } from './did-you-mean.ts';
import { isObject } from './json.ts';
import { isLoopbackUrl } from './loopback.ts';

/** One thing that is wrong with the options of a call or decorator. */
export interface OptionFault {
  /** As its author would write it: `sessions.maxSessions`, `icons[0].src`; empty for the options as a whole. */
  readonly path: string;
  readonly kind: 'unknown' | 'missing' | 'value';
  /** The given value, in a few words. */
  readonly given: string;
  /** The accepted values in words, or the known names for an unknown option. */
  readonly allowed: string;
  readonly nearest: string | undefined;
}

/** What an option may be; a rule never sees undefined, which counts as left out. */
export interface OptionRule {
  /** The rest of a sentence that begins with "let it be". */
  readonly allowed: string;
  /** Whether leaving it out is a fault. */
  readonly isRequired?: true;
  faultsOf(value: unknown, path: string): readonly OptionFault[];
}

/** A rule for every option there is; TypeScript refuses when one is missing. */
export type OptionRules<Options> = { readonly [Name in keyof Options]-?: OptionRule };

/** In milliseconds: a timer of Node takes no more, and fires at once when it is given more. */
export const LONGEST_TIMER = 2 ** 31 - 1;

const NONE: readonly OptionFault[] = Object.freeze([]);

/** The rule that all simple ones are made of. */
export function rule(allowed: string, isRight: (value: unknown) => boolean): OptionRule {
  return {
    allowed,
    faultsOf: (value, path) => (isRight(value) ? NONE : [wrongValue(path, describeValue(value), allowed)]),
  };
}

export const anything = rule('anything', () => true);
/** For options that a later stage checks, with a better message. */
export const checkedLater = rule('anything', () => true);
export const text = rule('a text', (value) => typeof value === 'string');
export const filledText = rule(
  'a text that is not empty',
  (value) => typeof value === 'string' && value !== '',
);
export const trueOrFalse = rule('true or false', (value) => typeof value === 'boolean');
export const aFunction = rule('a function', (value) => typeof value === 'function');
export const anObject = rule('an object', isObject);

/** Whether secrets may be sent there: over TLS, or on this machine. */
export function isSafeUrl(value: unknown): value is string {
  if (typeof value !== 'string' || !URL.canParse(value)) return false;
  const url = new URL(value);
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackUrl(url));
}

export const safeUrl = rule('an https URL; http on this machine only', isSafeUrl);
/** Whether browsers read a text as an origin, in a policy for pages: `https://*.example.com`. */
export function isPolicyOrigin(value: unknown): value is string {
  return typeof value === 'string' && /^(?:https?|wss?):\/\/(?:\*\.)?[\w.-]+(?::\d+)?$/.test(value);
}

export const positiveNumber = rule('a number above 0', (value) => typeof value === 'number' && value > 0);

/** One of the given texts; a near miss is suggested. */
export function oneOf(...choices: readonly string[]): OptionRule {
  const allowed = `one of ${choices.map((choice) => JSON.stringify(choice)).join(', ')}`;
  return {
    allowed,
    faultsOf: (value, path) => {
      if (choices.includes(value as string)) return NONE;
      const nearest = typeof value === 'string' ? nearestName(value, choices) : undefined;
      return [{ ...wrongValue(path, describeValue(value), allowed), nearest }];
    },
  };
}

export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER): OptionRule {
  const isOpen = most === Number.MAX_SAFE_INTEGER;
  return rule(
    `a whole number${isOpen ? `, ${String(least)} or more` : ` from ${String(least)} to ${String(most)}`}`,
    (value) => Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most,
  );
}

/** A limit that can be lifted with Infinity. */
export const countOrInfinity = rule(
  'a whole number, 0 or more, or Infinity',
  (value) => value === Infinity || (Number.isInteger(value) && (value as number) >= 0),
);

export const milliseconds = rule(
  'a finite number of milliseconds, 0 or more',
  (value) => typeof value === 'number' && value >= 0 && value < Infinity,
);

export const positiveMilliseconds = rule(
  'a finite number of milliseconds above 0',
  (value) => typeof value === 'number' && value > 0 && value < Infinity,
);

/** A time that may be Infinity. */
export const longMilliseconds = rule(
  'a number of milliseconds, 0 or more, or Infinity',
  (value) => typeof value === 'number' && value >= 0,
);

/** An object with the given methods, such as a store, a logger or a stream. */
export function objectWith(what: string, ...methods: readonly string[]): OptionRule {
  return rule(
    `${what} with the ${methods.length === 1 ? 'method' : 'methods'} ${methods.join(', ')}`,
    (value) =>
      isObject(value) &&
      methods.every((name) => typeof (value as Record<string, unknown>)[name] === 'function'),
  );
}

export function listOf(item: OptionRule, what = `a list, each of it ${item.allowed}`): OptionRule {
  return {
    allowed: what,
    faultsOf: (value, path) =>
      Array.isArray(value)
        ? // Not flatMap, which leaves holes out
          Array.from(value, (entry, index) => item.faultsOf(entry, `${path}[${String(index)}]`)).flat()
        : [wrongValue(path, describeValue(value), what)],
  };
}

export const texts = listOf(filledText, 'a list of texts');

/** Options within options. */
export function objectOf<Options>(rules: OptionRules<Options>): OptionRule {
  const names = Object.keys(rules);
  const allowed = `an object with ${names.join(', ')}`;
  return {
    allowed,
    faultsOf: (value, path) =>
      isObject(value) ? memberFaults(value, rules, path) : [wrongValue(path, describeValue(value), allowed)],
  };
}

/** A value that one of several rules accepts; faults inside an object come from the rule for objects. */
export function either(...rules: readonly OptionRule[]): OptionRule {
  const allowed = rules.map((each) => each.allowed).join(', or ');
  return {
    allowed,
    faultsOf: (value, path) => {
      const all = rules.map((each) => each.faultsOf(value, path));
      if (all.some((faults) => faults.length === 0)) return NONE;
      const inside = all.find((faults) => faults.every((fault) => fault.path !== path));
      const nearest = all.flat().find((fault) => fault.nearest !== undefined)?.nearest;
      return inside ?? [{ ...wrongValue(path, describeValue(value), allowed), nearest }];
    },
  };
}

export function required(given: OptionRule): OptionRule {
  return { ...given, isRequired: true };
}

/** For secrets: a fault never shows the value. */
export function secret(given: OptionRule): OptionRule {
  return {
    ...given,
    faultsOf: (value, path) =>
      given.faultsOf(value, path).map((fault) => ({ ...fault, given: 'a value', nearest: undefined })),
  };
}

/** The faults of all members in the order of the options, then the missing ones. */
function memberFaults<Options>(
  options: object,
  rules: OptionRules<Options>,
  path: string,
): readonly OptionFault[] {
  const known = rules as Readonly<Record<string, OptionRule>>;
  const names = Object.keys(known);
  const given = Object.entries(options).flatMap(([name, value]: [string, unknown]) => {
    const at = path === '' ? name : `${path}.${name}`;
    const itsRule = Object.hasOwn(known, name) ? known[name] : undefined;
    if (itsRule === undefined) return [unknownName(at, name, names)];
    return value === undefined ? NONE : itsRule.faultsOf(value, at);
  });
  const missing = names
    .filter(
      (name) => known[name]?.isRequired === true && (options as Record<string, unknown>)[name] === undefined,
    )
    .map((name) => missingOption(path === '' ? name : `${path}.${name}`, known[name]?.allowed ?? ''));
  return [...given, ...missing];
}

function unknownName(path: string, name: string, names: readonly string[]): OptionFault {
  return { path, kind: 'unknown', given: name, allowed: names.join(', '), nearest: nearestName(name, names) };
}

function missingOption(path: string, allowed: string): OptionFault {
  return { path, kind: 'missing', given: 'nothing', allowed, nearest: undefined };
}

function wrongValue(path: string, given: string, allowed: string): OptionFault {
  return { path, kind: 'value', given, allowed, nearest: undefined };
}

/**
 * All faults of the options of one call: unknown names, invalid values and missing options. Undefined counts as left
 * out.
 */
export function checkOptions<Options>(options: unknown, rules: OptionRules<Options>): readonly OptionFault[] {
  return objectOf(rules).faultsOf(options, '');
}

/** What is wrong, as the rest of a sentence that begins with the place of the options, and what to write instead. */
export function sayFault(fault: OptionFault, of = 'it'): { readonly what: string; readonly fix: string } {
  const { path, kind, given, allowed, nearest } = fault;
  const suggestion = nearest === undefined ? undefined : askWhether(`"${nearest}"`);
  if (kind === 'unknown') {
    const what = `has the option "${path}", which ${of} does not know.`;
    return { what, fix: suggestion ?? `remove it; known are ${allowed}` };
  }
  const name = path === '' ? 'the options' : path;
  const fix = `let ${name} be ${allowed}`;
  if (kind === 'missing') return { what: `lacks the option ${name}.`, fix };
  return { what: `sets ${name} to ${given}, which ${of} does not accept.`, fix: suggestion ?? fix };
}

/** The options without those that have a fault, so that the search for other mistakes can go on. */
export function withoutFaulty<Options extends object>(
  options: Options,
  faults: readonly OptionFault[],
): Partial<Options> {
  if (faults.some(({ path }) => path === '')) return {};
  const faulty = new Set(faults.map(({ path }) => /^[^.[]*/.exec(path)?.[0]));
  return Object.fromEntries(
    Object.entries(options).filter(([name]) => !faulty.has(name)),
  ) as Partial<Options>;
}

/** The caller, as an application sees it; the value stays out of messages. */
export const authRule = secret(
  rule("{ token: '…', clientId: '…', scopes: [] }, as `authenticate` gives it", (value) => {
    if (typeof value !== 'object' || value === null) return false;
    const { token, clientId, scopes } = value as Readonly<Record<string, unknown>>;
    return typeof token === 'string' && typeof clientId === 'string' && Array.isArray(scopes);
  }),
);

export const headersRule = rule(
  "an object of texts: { 'x-tenant': 'acme' }",
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((header) => typeof header === 'string'),
);

export const rootsRule = listOf(anObject, "a list of roots: [{ uri: 'file:///work' }]");

/** A logger or a function; a class is refused, of which an instance is needed. */
export const loggerRule = either(
  objectWith('a logger', 'log'),
  rule(
    'a function that takes a record',
    (value) => typeof value === 'function' && !/^class\b/.test(Function.prototype.toString.call(value)),
  ),
);

export const signalRule = rule('an AbortSignal', (value) => value instanceof AbortSignal);
