import type { Issue } from '../../call/issue.ts';
import { REDACTED, redactValue } from '../../errors/redact.ts';
import { propertiesOf, walkSchema } from '../../schema/subschemas.ts';
import type { JsonSchema } from '../../shared/json-schema.ts';
import { isPlainObject, parseWrittenJson, type PlainObject } from '../../shared/json.ts';
import { thenMaybe } from '../../shared/maybe-promise.ts';
import type { ResolveInput, SensitiveArguments } from '../../kernel/call/compiled-callable.ts';
import { allContracts, type InputContracts, type InputOptions } from './input-contracts.ts';

type SensitiveOptions = Pick<InputOptions, 'discriminator' | 'hasSensitive' | 'sensitiveNames'>;

/** Undefined where nothing in the arguments is sensitive, and no other call of the application has sensitive fields. */
export function compileSensitive(
  contracts: InputContracts,
  { discriminator, hasSensitive = false, sensitiveNames }: SensitiveOptions,
): SensitiveArguments | undefined {
  const redactions = allContracts(contracts).flatMap(({ redaction }) => redaction ?? []);
  const misplaced = findMisplaced(contracts, { discriminator, sensitiveNames });
  const hidesUnknown = redactions.length > 0 || hasSensitive;
  if (!hidesUnknown && misplaced === undefined) return undefined;
  const isKnown = (name: string): boolean => contracts.owners.has(name) || name === discriminator;
  return Object.freeze({
    valuesIn: (args) => {
      const found = [...redactions.map(({ valuesIn }) => valuesIn(args)), misplaced?.valuesIn(args) ?? []];
      return found.includes(undefined) ? undefined : found.flatMap((values) => values ?? []);
    },
    shown: (args) => {
      const own = redactions.reduce((given, redaction) => redaction.shown(given), args);
      const entries = Object.entries(misplaced?.shown(own) ?? own);
      return Object.fromEntries(
        entries.map(([name, value]) => [name, isKnown(name) || !hidesUnknown ? value : REDACTED]),
      );
    },
  } satisfies SensitiveArguments);
}

const MAX_VALUES = 1000;

/** What a client sent to one tool and meant for another. */
interface Misplaced extends SensitiveArguments {
  /** Whether a name is that of a sensitive field elsewhere, and of none here. */
  readonly isMisplaced: (name: string) => boolean;
}

/** Undefined where the application has no sensitive fields. */
function findMisplaced(
  contracts: InputContracts,
  { discriminator, sensitiveNames: names }: SensitiveOptions,
): Misplaced | undefined {
  if (names === undefined || names.size === 0) return undefined;
  let declared: ReadonlySet<string> | undefined;
  const isMisplaced = (name: string): boolean => {
    if (!names.has(name) || name === discriminator) return false;
    declared ??= new Set(allContracts(contracts).flatMap(({ schema }) => [...namesIn(schema)]));
    return !declared.has(name);
  };
  const shown = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(shown);
    if (!isPlainObject(value)) return value;
    const members = Object.entries(value);
    return Object.fromEntries(
      members.map(([name, inner]) => [name, isMisplaced(name) ? REDACTED : shown(inner)]),
    );
  };
  return {
    isMisplaced,
    shown: (args) => shown(args) as PlainObject,
    valuesIn: (args) => misplacedValues(args, isMisplaced),
  };
}

/** Refuses arguments without saying what was meant for another tool. */
export function silenceMisplaced(
  resolve: ResolveInput,
  contracts: InputContracts,
  options: SensitiveOptions,
): ResolveInput {
  const misplaced = findMisplaced(contracts, options);
  if (misplaced === undefined) return resolve;
  const silenced = (issue: Issue): Issue =>
    issue.received !== undefined && issue.path.split('.').some(misplaced.isMisplaced)
      ? { ...issue, received: REDACTED }
      : issue;
  return (args) =>
    thenMaybe(resolve(args), (outcome) => {
      if (outcome.ok) return outcome;
      const issues = redactValue(outcome.issues.map(silenced), misplaced.valuesIn(args));
      return { ...outcome, issues: issues as readonly Issue[] };
    });
}

/** A client chooses how deep its arguments are, so nothing here calls itself. */
function misplacedValues(
  args: PlainObject,
  isMisplaced: (name: string) => boolean,
): readonly string[] | undefined {
  const found = new Set<string>();
  const open: (readonly [value: unknown, isHidden: boolean])[] = [[args, false]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [value, isHidden] = next;
    if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value)) open.push([inner, isHidden || isMisplaced(name)]);
    } else if (isHidden && value !== '' && ['string', 'number', 'bigint'].includes(typeof value)) {
      found.add(String(value));
    } else if (typeof value === 'string') {
      open.push([parseWrittenJson(value), false]);
    }
    if (found.size > MAX_VALUES) return undefined;
  }
  return [...found];
}

/** All names of members that a schema declares, at any depth. */
function* namesIn(whole: JsonSchema): Generator<string> {
  for (const { schema } of walkSchema(whole))
    if (typeof schema === 'object') yield* propertiesOf(schema).keys();
}

/** The same for the completions of an argument: what is typed for it, and the arguments that are resolved already. */
export function compileSensitiveCompletion(
  contracts: InputContracts,
  argument: string,
  sensitiveNames: ReadonlySet<string> | undefined,
): SensitiveArguments | undefined {
  const whole = compileSensitive(contracts, { discriminator: undefined, sensitiveNames });
  if (whole === undefined) return undefined;
  const partsOf = ({ value, arguments: resolved }: PlainObject): readonly PlainObject[] => [
    resolved as PlainObject,
    { [argument]: value },
  ];
  return Object.freeze({
    valuesIn: (args) => {
      const found = partsOf(args).map((part) => whole.valuesIn(part));
      return found.includes(undefined) ? undefined : found.flatMap((values) => values ?? []);
    },
    shown: (args) => Object.assign({}, ...partsOf(args).map((part) => whole.shown(part))) as PlainObject,
  } satisfies SensitiveArguments);
}
