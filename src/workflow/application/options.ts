import {
  either,
  filledText,
  listOf,
  objectOf,
  objectWith,
  required,
  rule,
  secret,
  text,
  wholeNumber,
  type OptionRules,
} from '../../shared/option-rules.ts';
import type { RunLimits } from './runs/run-limits.ts';
import type { SigningKey } from './runs/run-token.ts';
import { optionFacts } from '../../errors/option-errors.ts';
import { formatFacts } from '../../errors/toolwright-error.ts';
import { checkOptions } from '../../shared/check-options.ts';
import { WorkflowError } from '../domain/errors/workflow-error.ts';

/** A hundred years in milliseconds: later than that, dates have an end. */
export const MOST_TIME = 100 * 366 * 24 * 3_600_000;

export const storageRule = objectWith('a storage', 'loadAll', 'getById', 'listSummaries');
export const runStoreRule = objectWith('a run store', 'init', 'append', 'load');
export const validatorRule = objectWith('a validator', 'validate');
export const tracerRule = objectWith('a tracer', 'startSpan');
export const loggerRule = either(
  objectWith('a logger', 'log'),
  rule(
    'a function that takes a record',
    (value) => typeof value === 'function' && !/^class\b/.test(Function.prototype.toString.call(value)),
  ),
);

const aLimit = wholeNumber(1, MOST_TIME);

const LIMIT_RULES: OptionRules<RunLimits> = {
  maxAttempts: aLimit,
  confirmationTtl: aLimit,
  runTtl: aLimit,
  maxContextBytes: aLimit,
  maxOutputBytes: aLimit,
  snapshotEvery: aLimit,
};

export const limitsRule = objectOf(LIMIT_RULES);

const KEY_RULES: OptionRules<SigningKey> = {
  id: required(text),
  secret: required(
    either(
      filledText,
      rule('bytes', (value) => value instanceof Uint8Array),
    ),
  ),
};

/** Whoever writes the secret itself in place of a key must not find it in a log. */
export const signingKeysRule = listOf(
  secret(objectOf(KEY_RULES)),
  "a list of keys: [{ id: '2026', secret: '…' }]",
);

export const serverInfoRule = objectOf<{ readonly name: string; readonly version: string }>({
  name: required(filledText),
  version: required(text),
});

const CODE = 'TW_WORKFLOW_OPTION';

/**
 * Refuses options that nobody could mean.
 * @throws WorkflowError `TW_WORKFLOW_OPTION` that names all of them
 */
export function refuseWorkflowOptions<Options>(
  where: string,
  options: unknown,
  rules: OptionRules<Options>,
): void {
  const faults = checkOptions(options, rules);
  const [first] = faults;
  if (first === undefined) return;
  const facts = optionFacts(where, faults);
  throw new WorkflowError(CODE, {
    where,
    message: formatFacts(CODE, facts),
    details: { option: first.path },
    suggestions: [facts.fix],
  });
}
