import { isWorkflowError } from '../../domain/errors/workflow-error.ts';
import { isTerminal } from '../../domain/run/run-state.ts';
import type { RunSummary } from '../ports/run-store.ts';
import { checkInteger, checkOptionalText } from './check-request.ts';
import { isVisible, loadRun } from './load-run.ts';
import type { RunCaller } from './run-caller.ts';
import type { RunParts } from './run-parts.ts';
import type { ResumeRequest } from './run-requests.ts';
import { summaryOfRun } from './summary-of-run.ts';
import { checkRunId } from './view-ref.ts';
import { stateNow } from './view-of.ts';

const MOST_RUNS = 10;
const LONGEST_QUERY = 2000;

/** The caller's own runs, the latest change first. */
export async function searchRuns(
  parts: RunParts,
  caller: RunCaller,
  request: ResumeRequest,
): Promise<readonly RunSummary[]> {
  const { store } = parts;
  if (request.runId !== undefined) {
    const summary = await store.getSummary(checkRunId(request.runId));
    return summary !== null && isVisible(summary, caller) ? [await summaryNow(parts, summary)] : [];
  }
  const query = checkOptionalText('query', request.query, { max: LONGEST_QUERY });
  const limit = checkInteger('limit', request.limit ?? MOST_RUNS, 1, MOST_RUNS);
  const { tenant, principal } = caller;
  const text = query === undefined || query === '' ? {} : { text: query };
  const { runs } = await store.find({ tenant, principal, limit, ...text });
  return Promise.all(runs.map((run) => summaryNow(parts, run)));
}

/** Only of a run that is overdue the state has to be read. */
async function summaryNow(parts: RunParts, summary: RunSummary): Promise<RunSummary> {
  const { runId, status, expiresAt } = summary;
  if (isTerminal(status) || parts.clock() < Date.parse(expiresAt)) return summary;
  try {
    const { state, definition } = await loadRun(parts, runId);
    return summaryOfRun(runId, stateNow(parts, state, definition));
  } catch (error) {
    // Time does nothing to a run that cannot be gone on with; it is listed as it was recorded
    if (isWorkflowError(error) && error.code === 'STATE_ERROR') return summary;
    throw error;
  }
}
