import { optionError } from '../errors/option-errors.ts';
import { ToolwrightError } from '../errors/toolwright-error.ts';
import type { McpApplication } from '../index.ts';
import { isPlainObject, type PlainObject } from '../shared/json.ts';
import {
  aFunction,
  checkOptions,
  filledText,
  listOf,
  oneOf,
  rule,
  type OptionRules,
} from '../shared/option-rules.ts';

/** A call of an action, as a script makes it. */
export interface ScriptedCall {
  /** The tool and the key of the action: `tasks.create`, `board.tasks.create`. */
  readonly action: string;
  /** What the action takes. Default: nothing. */
  readonly input?: PlainObject;
}

/** A call that a request should lead to. */
export interface ExpectedCall {
  /** The tool and the key of the action: `tasks.create`, `board.tasks.create`. */
  readonly action: string;
  /**
   * Members that the input has, compared in depth, or a function that says whether it is right. Other members are
   * allowed. Default: any input.
   */
  readonly input?: PlainObject | ((input: PlainObject) => boolean);
}

/** A request of a person, and what a model should do about it. */
export interface EvalCase {
  /** Names the case in reports. No two cases of a run have the same. */
  readonly name: string;
  /** What the person says. */
  readonly ask: string;
  /** The calls that answer it; `none` where nothing should be called. */
  readonly expect: 'none' | readonly ExpectedCall[];
  /** Whether the calls have to come in this order. Default `any`. */
  readonly order?: 'any' | 'exact';
  /** Searches that a person or model wrote for the request; retrieval ranks them beside the request itself. */
  readonly queries?: readonly string[];
  /** What the scripted model calls, one call in each turn. Default: the expected calls. */
  readonly script?: readonly ScriptedCall[];
  /** Runs before the model is asked. */
  readonly setup?: (app: McpApplication) => unknown;
  /** Runs after the model has ended, and throws where the application is not as it should be. */
  readonly after?: (app: McpApplication) => unknown;
  /** Words to find the case by; reports repeat them. */
  readonly tags?: readonly string[];
}

/** What a file of cases gives. */
export interface EvalSuite {
  /** The file with the application, as seen from this file. Default: the entry of package.json. */
  readonly entry?: string;
  /** The cases, at least one. */
  readonly cases: readonly EvalCase[];
}

/**
 * Checks cases, for the default export of a file that `toolwright eval` reads.
 * @throws ToolwrightError TW_EVALS_CASE
 *
 * @example
 * export default defineEvals({
 *   entry: './server.ts',
 *   cases: [
 *     { name: 'writes a note', ask: 'Remember the milk', expect: [{ action: 'notes.add', input: { text: 'milk' } }] },
 *     { name: 'small talk', ask: 'How are you?', expect: 'none' },
 *   ],
 * });
 */
export function defineEvals(suite: EvalSuite): EvalSuite {
  checkSuite(suite, 'defineEvals()');
  return suite;
}

const texts = listOf(filledText);
const isCall = (value: unknown): boolean =>
  isPlainObject(value) && typeof value['action'] === 'string' && value['action'].includes('.');
const isInput = (value: unknown): boolean => value === undefined || isPlainObject(value);

const CASE_RULES: OptionRules<EvalCase> = {
  name: { ...filledText, isRequired: true },
  ask: { ...filledText, isRequired: true },
  expect: {
    ...rule(
      '"none", or a list of calls: { action: "tasks.create", input: { … } }',
      (value) =>
        value === 'none' ||
        (Array.isArray(value) &&
          value.length > 0 &&
          value.every(
            (each: PlainObject) =>
              isCall(each) && (typeof each['input'] === 'function' || isInput(each['input'])),
          )),
    ),
    isRequired: true,
  },
  order: oneOf('any', 'exact'),
  queries: texts,
  script: rule(
    'a list of calls: { action: "tasks.create", input: { … } }',
    (value) =>
      Array.isArray(value) && value.every((each: PlainObject) => isCall(each) && isInput(each['input'])),
  ),
  setup: aFunction,
  after: aFunction,
  tags: texts,
};

const SUITE_RULES: OptionRules<EvalSuite> = {
  entry: filledText,
  cases: {
    ...rule('a list of cases, at least one', (value) => Array.isArray(value) && value.length > 0),
    isRequired: true,
  },
};

/** @throws ToolwrightError TW_EVALS_CASE. @param where the file, or what was called */
export function checkSuite(value: unknown, where: string): asserts value is EvalSuite {
  const faults = isPlainObject(value)
    ? checkOptions(value, SUITE_RULES)
    : [...SUITE_RULES.cases.faultsOf(undefined, 'cases')];
  if (faults.length > 0) throw optionError('TW_EVALS_CASE', where, faults);
  checkCases((value as EvalSuite).cases, where);
}

/** @throws ToolwrightError TW_EVALS_CASE */
export function checkCases(cases: readonly unknown[], where: string): void {
  const names = new Set<unknown>();
  for (const [place, each] of cases.entries()) {
    const name = isPlainObject(each) ? each['name'] : undefined;
    const at = `${where}, case ${typeof name === 'string' ? JSON.stringify(name) : String(place + 1)}`;
    const faults = checkOptions(isPlainObject(each) ? each : {}, CASE_RULES);
    if (faults.length > 0) throw optionError('TW_EVALS_CASE', at, faults);
    if (names.has(name))
      throw new ToolwrightError('TW_EVALS_CASE', {
        where: at,
        what: 'has the name of an earlier case.',
        fix: 'give each case a name of its own',
      });
    names.add(name);
  }
}
