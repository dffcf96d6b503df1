import { useState } from 'preact/hooks';
import type { EvaluatedCase, EvaluatedRun, EvaluatedShare } from '../../contract.ts';
import { Badge, Empty, Figures, Ready } from '../parts/basic.tsx';
import { clockOf, countOf, dayOf, tokensOf } from '../parts/figures.ts';
import { compareRuns, evals } from '../state/evals.ts';
import { linkTo } from '../state/links.ts';
import { goTo, route } from '../state/route.ts';

const MEANING = { done: 'reads', stale: 'asks', failed: 'destroys' } as const;
const CHANGES = { failing: 'destroys', passing: 'reads', new: 'none', gone: 'none' } as const;
const COMMAND = 'toolwright eval --format jsonl -o evals/runs/first.jsonl';
const WORDS: Readonly<Record<string, string>> = {
  doneEveryTime: 'done every time',
  selection: 'first action right',
  noCall: 'no call where none',
  validArguments: 'arguments valid',
  expectedArguments: 'arguments expected',
  repaired: 'repaired by one retry',
};

/** The runs of evals, the cases of one of them, and what is different in another one. */
export function EvalsPage() {
  const [, id, other] = route.value;
  return (
    <article data-testid="evals-page">
      <h2>{id === undefined ? 'Evals' : <a href="#/evals">Evals</a>}</h2>
      <Ready of={evals.value}>
        {({ folder, runs }) => {
          const run = runs.find((each) => each.id === id);
          if (run !== undefined) return <Run run={run} runs={runs} other={other} />;
          if (runs.length > 0) return <Runs runs={runs} />;
          return folder === undefined ? (
            <Empty title="Nothing looks for runs" code="toolwright dev server.ts">
              The command does, when it serves the application.
            </Empty>
          ) : (
            <Empty title="There are no runs yet" code={COMMAND}>
              Reports in <code>{folder}</code> show here.
            </Empty>
          );
        }}
      </Ready>
    </article>
  );
}

function writeTime({ at }: EvaluatedRun): string {
  return `${dayOf(at)} ${clockOf(at).slice(0, 5)}`;
}

function Runs({ runs }: { readonly runs: readonly EvaluatedRun[] }) {
  return (
    <ol class="changes">
      {runs.map((run) => (
        <li key={run.id} data-testid="eval-run">
          <span>{doneIn(run)}</span>
          <span>
            <a href={linkTo('evals', run.id)}>
              <bdi>{run.file}</bdi>, {run.surface}
            </a>{' '}
            <bdi>{run.model}</bdi>{' '}
            <span class="faint">
              {sayInterval(run)}
              {writeTime(run)}, {countOf(run.cases.length, 'case')}, {countOf(run.tools, 'tool')}
            </span>
          </span>
        </li>
      ))}
    </ol>
  );
}

function doneIn({ shares }: EvaluatedRun): string {
  const done = shares.find(({ name }) => name === 'done');
  return done === undefined ? '-' : written(done);
}

/** Where no model was asked, an interval would say nothing. */
function sayInterval({ shares, model }: EvaluatedRun): string {
  const done = model === 'scripted' ? undefined : shares.find(({ name }) => name === 'done');
  return done === undefined ? '' : `${writeInterval(done)}, `;
}

function written({ passed, of }: EvaluatedShare): string {
  return `${passed}/${of}`;
}

function writeInterval({ low, high }: EvaluatedShare): string {
  return `${Math.round(low * 100)} to ${Math.round(high * 100)} %`;
}

interface RunProps {
  readonly run: EvaluatedRun;
  readonly runs: readonly EvaluatedRun[];
  /** The id of the run before. */
  readonly other: string | undefined;
}

function Run({ run, runs, other }: RunProps) {
  const before = runs.find(({ id }) => id === other);
  const isMeasured = run.model !== 'scripted';
  const shares = run.shares.filter(({ name }) => isMeasured || name === 'done');
  return (
    <>
      <p>
        <bdi class="strong">{run.file}</bdi>, surface <code>{run.surface}</code>, <bdi>{run.model}</bdi>{' '}
        <span class="faint">
          {writeTime(run)}, {tokensOf(run.tokens, true)} of definitions
        </span>
      </p>
      <Figures
        of={shares.map((share) => [
          `${WORDS[share.name] ?? share.name}${isMeasured ? `, ${writeInterval(share)}` : ''}`,
          written(share),
        ])}
      />
      {isMeasured ? null : <p class="faint">The expected calls were made, and no model was asked.</p>}
      <label class="row">
        <span class="label">compared with</span>
        <select
          data-testid="eval-before"
          value={before?.id ?? ''}
          onChange={({ currentTarget: { value } }) =>
            goTo(linkTo('evals', run.id, ...(value === '' ? [] : [value])))
          }
        >
          <option value="">nothing</option>
          {runs
            .filter(({ id }) => id !== run.id)
            .map((each) => (
              <option key={each.id} value={each.id}>
                {each.file}, {each.surface}, {each.model}, {writeTime(each)}
              </option>
            ))}
        </select>
      </label>
      {before === undefined ? <Cases cases={run.cases} /> : <Difference before={before} run={run} />}
    </>
  );
}

function Cases({ cases }: { readonly cases: readonly EvaluatedCase[] }) {
  const [isFiltered, setFiltered] = useState(false);
  const shown = isFiltered ? cases.filter(({ status }) => status !== 'done') : cases;
  return (
    <section class="listed" aria-label="Cases">
      <label class="row">
        <input
          type="checkbox"
          data-testid="eval-filter"
          checked={isFiltered}
          onChange={({ currentTarget: { checked } }) => setFiltered(checked)}
        />
        only what is not done
      </label>
      {shown.length === 0 ? <p class="good">✓ All cases are done.</p> : null}
      <ol class="changes">
        {shown.map((each) => (
          <Case key={each.name} of={each} word={each.status} meaning={MEANING[each.status]} />
        ))}
      </ol>
    </section>
  );
}

function Difference({ before, run }: { readonly before: EvaluatedRun; readonly run: EvaluatedRun }) {
  const changes = compareRuns(before, run);
  return (
    <section class="listed" aria-label="Difference" data-testid="eval-difference">
      {changes.length === 0 ? <p class="good">✓ Each case ends as it did before.</p> : null}
      <ol class="changes">
        {changes.map(({ kind, case: each }) => (
          <Case key={each.name} of={each} word={kind} meaning={CHANGES[kind]} />
        ))}
      </ol>
    </section>
  );
}

interface CaseProps {
  readonly of: EvaluatedCase;
  readonly word: string;
  readonly meaning: 'reads' | 'asks' | 'destroys' | 'none';
}

function Case({ of: { name, why, done, of, calls }, word, meaning }: CaseProps) {
  return (
    <li data-testid="eval-case">
      <Badge meaning={meaning}>{word}</Badge>
      <details>
        <summary>
          <bdi>{name}</bdi>{' '}
          {of > 1 ? (
            <span class="number faint">
              {done}/{of}
            </span>
          ) : null}{' '}
          {why === undefined ? null : <span class="faint long">{why}</span>}
        </summary>
        {calls.length === 0 ? <p class="faint">Nothing was called.</p> : null}
        {calls.map((call, place) => (
          <code class="long" key={place}>
            {call}
          </code>
        ))}
      </details>
    </li>
  );
}
