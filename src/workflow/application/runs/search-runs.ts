import type { RunSummary } from '../ports/run-store.ts';
import { checkInteger, checkOptionalText } from './check-request.ts';
import { isVisible } from './load-run.ts';
import type { RunCaller } from './run-caller.ts';
import type { RunParts } from './run-parts.ts';
import type { ResumeRequest } from './run-requests.ts';
import { checkRunId } from './view-ref.ts';

const MOST_RUNS = 10;
const LONGEST_QUERY = 2000;

/** The caller's own runs, the latest change first. */
export async function searchRuns(
  { store }: RunParts,
  caller: RunCaller,
  request: ResumeRequest,
): Promise<readonly RunSummary[]> {
  if (request.runId !== undefined) {
    const summary = await store.getSummary(checkRunId(request.runId));
    return summary !== null && isVisible(summary, caller) ? [summary] : [];
  }
  const query = checkOptionalText('query', request.query, { max: LONGEST_QUERY });
  const limit = checkInteger('limit', request.limit ?? MOST_RUNS, 1, MOST_RUNS);
  const { tenant, principal } = caller;
  const text = query === undefined || query === '' ? {} : { text: query };
  const { runs } = await store.find({ tenant, principal, limit, ...text });
  return runs;
}
