import { optionFacts } from '../../../errors/option-errors.ts';
import { formatFacts } from '../../../errors/toolwright-error.ts';
import { checkOptions } from '../../../shared/check-options.ts';
import type { OptionRules } from '../../../shared/option-rules.ts';
import { WorkflowError } from './workflow-error.ts';

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
