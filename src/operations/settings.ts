import type { ProblemList } from '../errors/problem-list.ts';
import type { PolicyFunction, PolicyObject } from '../index.ts';
import { didYouMean } from '../shared/did-you-mean.ts';
import { isObject } from '../shared/json.ts';
import {
  anObject,
  checkOptions,
  either,
  filledText,
  objectOf,
  oneOf,
  positiveMilliseconds,
  required,
  rule,
  sayFault,
  text,
  texts,
  trueOrFalse,
  type OptionRules,
} from '../shared/option-rules.ts';

/** What makes two calls the same: an argument that the client chooses, or all arguments. */
export interface CallKey {
  /** The argument `idempotencyKey`, or all of them. */
  readonly key: 'idempotencyKey' | 'arguments';
}

/** What is said about the actions that a pattern selects. */
export interface OperationSettings {
  /** The name of the group. */
  readonly group?: string;
  /** The name of the action. */
  readonly name?: string;
  /** The name for people. */
  readonly title?: string;
  /** What it does, for models. */
  readonly description?: string;
  /** Other words for what it is about, by which `find_actions` finds it as well: `PR` for a pull request. Default: none. */
  readonly tags?: readonly string[];
  /** It changes nothing: for a POST that searches. */
  readonly readOnly?: boolean;
  /** It may destroy something. */
  readonly destructive?: boolean;
  /** Running it twice has the effect of running it once; with a `key`, Toolwright sees to it. */
  readonly idempotent?: boolean | CallKey;
  /** Whether it reaches systems outside of the application. */
  readonly openWorld?: boolean;
  /** Asks a person before each call, as `@Destructive({ confirm })` does: so the action is destructive. */
  readonly confirm?: boolean | 'twice' | 'url';
  /** Scopes that a token needs. */
  readonly scopes?: readonly string[];
  /** Roles, of which a caller needs one. */
  readonly roles?: readonly string[];
  /** A policy that callers pass. */
  readonly policy?: PolicyFunction | PolicyObject;
  /** What stays of an answer: `['id', 'owner.name']`, through lists. */
  readonly fields?: readonly string[];
  /** Lets models choose what stays of an answer, by the argument `fields`. Default false. */
  readonly select?: boolean;
  /**
   * Publishes what the API says that it answers. An answer that breaks it is an error with the whole answer as text; with
   * `strict` it is `INVALID_OUTPUT`, without the answer. Default false.
   */
  readonly output?: boolean | 'strict';
  /** Headers that models may set, of those that the operation reads and does not require. */
  readonly headers?: readonly string[];
  /** Fields that models do not see; those of `defaults` are sent all the same. */
  readonly hide?: readonly string[];
  /** Values of fields that a call leaves out. */
  readonly defaults?: Readonly<Record<string, unknown>>;
  /** How the answer becomes text. Default `json`. */
  readonly result?: 'json' | 'toon' | 'text';
  /** Milliseconds that a call may take. */
  readonly timeout?: number;
}

const SETTINGS_RULES: OptionRules<OperationSettings> = {
  group: filledText,
  name: filledText,
  title: text,
  description: text,
  tags: texts,
  readOnly: trueOrFalse,
  destructive: trueOrFalse,
  idempotent: either(trueOrFalse, objectOf<CallKey>({ key: required(oneOf('idempotencyKey', 'arguments')) })),
  openWorld: trueOrFalse,
  confirm: either(trueOrFalse, oneOf('twice', 'url')),
  scopes: texts,
  roles: texts,
  policy: rule(
    'a function, or an object with a policy',
    (value) => isObject(value) || typeof value === 'function',
  ),
  fields: texts,
  select: trueOrFalse,
  output: either(trueOrFalse, oneOf('strict')),
  headers: texts,
  hide: texts,
  defaults: anObject,
  result: oneOf('json', 'toon', 'text'),
  timeout: positiveMilliseconds,
};

const NAMES = Object.keys(SETTINGS_RULES);

/** Whether settings say that what is answered is published. */
export function publishesOutput({ output = false }: OperationSettings): boolean {
  return output !== false;
}

/** Reports settings that do not exist, and values that they cannot have. */
export function reportSettings(where: string, settings: OperationSettings, problems: ProblemList): void {
  for (const fault of checkOptions(settings, SETTINGS_RULES)) {
    if (fault.kind === 'unknown') {
      problems.add('TW_OPERATIONS_PATTERN', {
        where,
        what: `has the setting ${fault.given}, which does not exist.`,
        fix: didYouMean(fault.given, NAMES) ?? `write one of ${NAMES.join(', ')}`,
      });
    } else problems.add('TW_OPERATIONS_SETTINGS', { where, ...sayFault(fault) });
  }
}
