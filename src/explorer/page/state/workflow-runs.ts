import type { ExploredStep, ExploredWorkflow } from '../../contract.ts';
import { isObject } from '../form/field.ts';
import { connect } from './connection.ts';
import { Loader } from './loaded.ts';

/** A run as the tool `workflow_resume` lists it. */
export interface ListedRun {
  readonly runId: string;
  readonly workflowId: string;
  readonly status: string;
  readonly goal?: string;
  readonly updatedAt: string;
}

/** What the tool `workflow_status` says of a run. */
export interface RunStatus {
  readonly runId: string;
  readonly workflowId: string;
  readonly definitionHash: string;
  readonly status: string;
  readonly goal?: string;
  readonly progress: { readonly completed: number; readonly skipped: number; readonly total: number };
  readonly issues: readonly string[];
  readonly history: readonly RunEntry[];
  /** How many earlier events are not in the history. */
  readonly omitted: number;
}

export interface RunEntry {
  readonly type: string;
  readonly at: string;
  readonly actor: string;
  readonly stepId?: string;
  readonly iteration?: number;
  readonly reason?: string;
}

export const TOOLS = { list: 'workflow_resume', status: 'workflow_status' } as const;

const listed = new Loader<readonly ListedRun[]>();
const opened = new Loader<RunStatus>();

/** Those of the chosen caller, the last changed first. */
export const runs = listed.loaded;
export const run = opened.loaded;

export function loadRuns(): Promise<void> {
  return listed.load('', async () => (await ask(TOOLS.list, {}))['runs'] as readonly ListedRun[]);
}

export function loadRun(runId: string): Promise<void> {
  return opened.load(runId, async () => (await ask(TOOLS.status, { runId })) as unknown as RunStatus);
}

async function ask(tool: string, args: Readonly<Record<string, unknown>>) {
  const client = await connect();
  const { isError, content, structuredContent } = await client.callTool(tool, args);
  if (isError !== true && isObject(structuredContent)) return structuredContent;
  throw new Error(content.map((block) => (block.type === 'text' ? block.text : '')).join('\n'));
}

/** Where a step stands. `repair`: its output was refused; `asks`: a person has to confirm it. */
export type StepState =
  | 'waiting'
  | 'open'
  | 'repair'
  | 'asks'
  | 'repeats'
  | 'completed'
  | 'skipped'
  | 'stopped';

export interface StepStanding {
  readonly state: StepState;
  readonly iteration?: number;
  readonly reason?: string;
}

const AFTER: Readonly<Record<string, StepState>> = {
  StepOffered: 'open',
  StepBlocked: 'repair',
  ConfirmationRequested: 'asks',
  StepCompleted: 'completed',
  StepSkipped: 'skipped',
  LoopStarted: 'repeats',
  LoopIterationStarted: 'repeats',
  LoopEnded: 'completed',
};

/** Where each step of a run stands, by its id; a step that is not among them waits. */
export function standingsOf(
  { steps }: Pick<ExploredWorkflow, 'steps'>,
  { history, status }: Pick<RunStatus, 'history' | 'status'>,
): ReadonlyMap<string, StepStanding> {
  const standings = new Map<string, StepStanding>();
  for (const { type, stepId, iteration, reason } of history) {
    const state = AFTER[type];
    if (state === undefined || stepId === undefined) continue;
    // Each iteration begins with steps that wait
    if (type === 'LoopIterationStarted') for (const { id } of bodyOf(steps, stepId)) standings.delete(id);
    standings.set(stepId, {
      state,
      ...(iteration === undefined ? {} : { iteration }),
      ...(reason === undefined ? {} : { reason }),
    });
  }
  if (status !== 'cancelled' && status !== 'expired') return standings;
  const isOver = ({ state }: StepStanding): boolean => state === 'completed' || state === 'skipped';
  return new Map(
    [...standings].map(([id, standing]) => [
      id,
      isOver(standing) ? standing : { ...standing, state: 'stopped' },
    ]),
  );
}

function bodyOf(steps: readonly ExploredStep[], loop: string): readonly ExploredStep[] {
  return steps.find(({ id }) => id === loop)?.body ?? [];
}
