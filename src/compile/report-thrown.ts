import { ApplicationError } from '../errors/problem-list.ts';
import { ToolwrightError } from '../errors/toolwright-error.ts';
import type { Report } from './strategies/report.ts';

/** Reports why a contract could not be made; anything else than a mistake of the application is thrown on. */
export function reportThrown(thrown: unknown, report: Report): void {
  if (!ToolwrightError.is(thrown)) throw thrown;
  const problems = thrown instanceof ApplicationError ? thrown.problems : [thrown];
  for (const { code, where, what, why, fix } of problems) report(code, { where, what, why, fix });
}
