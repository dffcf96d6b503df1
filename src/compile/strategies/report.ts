import type { ErrorCode } from '../../errors/catalogue.ts';
import { ToolwrightError, type ErrorFacts } from '../../errors/toolwright-error.ts';

/** Takes one mistake. A reporter that returns lets the strategy go on and find the others. */
export type Report = (code: ErrorCode, facts: Omit<ErrorFacts, 'cause'>) => void;

/** The reporter of callers that want to stop at the first mistake. */
export const throwProblem: Report = (code, facts) => {
  throw new ToolwrightError(code, facts);
};
