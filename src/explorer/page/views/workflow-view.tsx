import { useEffect } from 'preact/hooks';
import type { ExploredStep, ExploredWorkflow } from '../../contract.ts';
import { Badge, Empty, Ready } from '../parts/basic.tsx';
import { clockOf, dayOf } from '../parts/figures.ts';
import { toolNamed } from '../state/application.ts';
import { linkTo } from '../state/links.ts';
import type { Meaning } from '../state/offers.ts';
import type { Span } from '../state/traffic/span.ts';
import { spans } from '../state/traffic/timeline.ts';
import {
  loadRun,
  loadRuns,
  run,
  runs,
  type RunStatus,
  standingsOf,
  type StepStanding,
  type StepState,
  TOOLS,
} from '../state/workflow-runs.ts';

interface Props {
  readonly workflow: ExploredWorkflow;
  readonly runId: string | undefined;
}

/** A workflow with its steps from top to bottom, and the runs of it; of one run, where each step stands. */
export function WorkflowView({ workflow, runId }: Props) {
  const hasRuns = toolNamed(TOOLS.list) !== undefined && toolNamed(TOOLS.status) !== undefined;
  const ended = spans.value.filter(mayHaveChangedRuns).map(({ id }) => id);
  useEffect(() => {
    if (!hasRuns) return;
    void loadRuns();
    if (runId !== undefined) void loadRun(runId);
  }, [hasRuns, runId, ended.join()]);
  return (
    <article data-testid="workflow">
      <header class="head">
        <h2 class="name">
          {workflow.id} <Badge>v{workflow.version}</Badge>
        </h2>
        <p class="strong">{workflow.name}</p>
        <p class="prose">{workflow.description}</p>
      </header>
      {runId === undefined ? (
        <Steps steps={workflow.steps} standings={undefined} label="Steps" />
      ) : (
        <Ready of={run.value}>{(known) => <Run workflow={workflow} run={known} />}</Ready>
      )}
      <section class="all-runs" aria-label="Runs">
        <h3>Runs</h3>
        {hasRuns ? (
          <Runs workflow={workflow} runId={runId} />
        ) : (
          <p class="faint">
            This caller is not offered {TOOLS.list} and {TOOLS.status}, which say what runs there are.
          </p>
        )}
      </section>
    </article>
  );
}

/** A call that ended, of this page or of another client. What the view itself asks for changes nothing. */
function mayHaveChangedRuns({ method, subject, state }: Span): boolean {
  const [tool = ''] = subject.split('.');
  const isRead = tool === TOOLS.list || tool === TOOLS.status;
  return method === 'tools/call' && tool.startsWith('workflow_') && !isRead && state !== 'running';
}

function Run({ workflow, run: known }: { readonly workflow: ExploredWorkflow; readonly run: RunStatus }) {
  const { runId, goal, status, progress, definitionHash, omitted, issues } = known;
  return (
    <section class="run" aria-label={`Run ${runId}`} data-testid="run" data-state={status}>
      <p class="row" role="status">
        run <code>{runId}</code> <Badge meaning={meaningOfRun(status)}>{status.replaceAll('_', ' ')}</Badge>
        <span class="number">
          {progress.completed} completed, {progress.skipped} skipped, of {progress.total}
        </span>
      </p>
      {goal === undefined ? null : <p class="prose">{goal}</p>}
      {definitionHash === workflow.hash ? null : (
        <p class="asks">It follows another version of the workflow than the one that is shown.</p>
      )}
      {omitted === 0 ? null : <p class="faint">Its first {omitted} events are not shown here.</p>}
      <Steps steps={workflow.steps} standings={standingsOf(workflow, known)} label="Steps of the run" />
      {issues.map((issue) => (
        <p class="issue" key={issue}>
          {issue}
        </p>
      ))}
    </section>
  );
}

const SIGNS: Readonly<Record<StepState, readonly [sign: string, word: string, meaning: Meaning]>> = {
  waiting: ['', 'waiting', 'none'],
  open: ['●', 'open', 'writes'],
  repair: ['!', 'to repair', 'destroys'],
  asks: ['?', 'asks', 'asks'],
  repeats: ['↻', 'repeats', 'writes'],
  completed: ['✓', 'completed', 'reads'],
  skipped: ['↷', 'skipped', 'none'],
  stopped: ['■', 'stopped', 'none'],
};

interface StepsProps {
  readonly steps: readonly ExploredStep[];
  /** Undefined where no run is shown. */
  readonly standings: ReadonlyMap<string, StepStanding> | undefined;
  readonly label: string;
}

function Steps({ steps, standings, label }: StepsProps) {
  return (
    <ol class="steps" aria-label={label} onKeyDown={moveFocus}>
      {steps.map((step, index) => (
        <Step key={step.id} step={step} place={index + 1} standings={standings} />
      ))}
    </ol>
  );
}

interface StepProps extends Pick<StepsProps, 'standings'> {
  readonly step: ExploredStep;
  /** Among its neighbours, from 1. */
  readonly place: number;
}

function Step({ step, place, standings }: StepProps) {
  const { id, title, prompt, body } = step;
  const standing = standings?.get(id) ?? { state: 'waiting' };
  const [sign, word, meaning] = SIGNS[standing.state];
  return (
    <li data-testid="step" data-step={id} data-state={standings === undefined ? 'plain' : standing.state}>
      <span class="sign" data-meaning={meaning} aria-hidden="true">
        {sign === '' ? place : sign}
      </span>
      <details>
        <summary>
          <span class="strong">{title}</span> <code class="faint">{id}</code>{' '}
          {standings === undefined ? null : <Badge meaning={meaning}>{word}</Badge>}
          <span class="faint">
            {standing.iteration === undefined ? '' : ` iteration ${standing.iteration}`}
            {standing.reason === undefined ? '' : ` ${standing.reason}`}
          </span>
          <Rules step={step} />
        </summary>
        {prompt === undefined ? (
          <p class="faint">It repeats the steps below.</p>
        ) : (
          <pre tabIndex={0}>{prompt}</pre>
        )}
      </details>
      {body.length === 0 ? null : <Steps steps={body} standings={standings} label={`Repeated by ${title}`} />}
    </li>
  );
}

/** When a step runs, how often, and what lets it pass. */
function Rules({ step: { condition, loop, confirmation, isChecked } }: { readonly step: ExploredStep }) {
  const rules = [
    condition === undefined ? undefined : `only if ${condition}`,
    loop,
    confirmation === undefined
      ? undefined
      : `a person confirms${confirmation === 'always' ? '' : ` if ${confirmation}`}`,
    isChecked ? 'output checked' : undefined,
  ].filter((rule) => rule !== undefined);
  return rules.length === 0 ? null : <span class="rules">{rules.join(' · ')}</span>;
}

function Runs({ workflow, runId }: Props) {
  return (
    <Ready of={runs.value}>
      {(list) => {
        const own = list.filter(({ workflowId }) => workflowId === workflow.id);
        if (own.length === 0)
          return (
            <Empty title="This caller has no run of it" code={`workflow_start ${workflow.id}`}>
              A run appears here as soon as one is started.{' '}
              <a href={linkTo('tool', 'workflow_start')}>Start one</a>
            </Empty>
          );
        return (
          <ul class="runs">
            {own.map(({ runId: id, status, goal, updatedAt }) => (
              <li key={id}>
                <a
                  href={linkTo('workflow', workflow.id, id)}
                  aria-current={id === runId ? 'page' : undefined}
                >
                  <code>{id}</code>
                </a>{' '}
                <Badge meaning={meaningOfRun(status)}>{status.replaceAll('_', ' ')}</Badge>{' '}
                <time dateTime={updatedAt} class="faint">
                  {dayOf(Date.parse(updatedAt))} {clockOf(Date.parse(updatedAt)).slice(0, 8)}
                </time>{' '}
                {goal}
              </li>
            ))}
          </ul>
        );
      }}
    </Ready>
  );
}

const MEANINGS_OF_RUNS: Readonly<Record<string, Meaning>> = {
  running: 'writes',
  blocked: 'destroys',
  awaiting_confirmation: 'asks',
  completed: 'reads',
};

function meaningOfRun(status: string): Meaning {
  return MEANINGS_OF_RUNS[status] ?? 'none';
}

/** Up and down go from step to step, over the borders of loops. */
function moveFocus(event: KeyboardEvent): void {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const { target } = event;
  if (by === undefined || !(target instanceof HTMLElement) || target.tagName !== 'SUMMARY') return;
  const all = [...(target.closest('article')?.querySelectorAll<HTMLElement>('.steps summary') ?? [])];
  all[all.indexOf(target) + by]?.focus();
  event.preventDefault();
  event.stopPropagation();
}
