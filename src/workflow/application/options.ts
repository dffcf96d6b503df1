import {
  filledText,
  objectOf,
  objectWith,
  required,
  text,
  type OptionRules,
  checkOptions,
} from '../../shared/option-rules.ts';
import { optionFacts } from '../../errors/option-errors.ts';
import { formatFacts } from '../../errors/toolwright-error.ts';
import { WorkflowError } from '../domain/errors/workflow-error.ts';

/** A hundred years in milliseconds, which keeps times within the range of `Date`. */
export const MOST_TIME = 100 * 366 * 24 * 3_600_000;

export const storageRule = objectWith('a storage', 'loadAll', 'getById', 'listSummaries');
export const runStoreRule = objectWith('a run store', 'init', 'append', 'load');
export const validatorRule = objectWith('a validator', 'validate');
export const tracerRule = objectWith('a tracer', 'startSpan');

export const serverInfoRule = objectOf<{ readonly name: string; readonly version: string }>({
  name: required(filledText),
  version: required(text),
});

const CODE = 'TW_WORKFLOW_OPTION';

/**
 * Refuses invalid options.
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
