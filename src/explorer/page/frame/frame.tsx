import { signal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import { Fence, isTyping, Problem, Ready, useKeys } from '../parts/basic.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { application, knownApplication, lost, notice, problems } from '../state/application.ts';
import { rowsOf } from '../state/offers.ts';
import { goTo, route } from '../state/route.ts';
import { leftWidth, rightWidth } from '../state/settings.ts';
import { linkTo } from '../state/links.ts';
import { ModelColumn } from '../views/model-column.tsx';
import { TrafficView } from '../views/traffic-view.tsx';
import { Bar } from './bar.tsx';
import { Divider } from './divider.tsx';
import { Middle } from './middle.tsx';
import { isPaletteOpen, Palette } from './palette.tsx';
import { QuestionDialog } from './question-dialog.tsx';
import { Timeline } from './timeline.tsx';
import { closeDrawer, isDrawerOpen, Tree } from './tree.tsx';

/** Which of the middle and the column beside it shows, where there is room for one. */
const narrow = signal<'middle' | 'model'>('middle');

/** The whole page: left what there is, in the middle the thing at hand, right what a model makes of it, below what happened. */
export function Frame() {
  useKeys(takeKey);
  useTop();
  useTitle();
  const columns = { '--left': `${leftWidth.value}px`, '--right': `${rightWidth.value}px` };
  const hasModel = hasModelColumn();
  return (
    <div
      class="frame"
      style={columns}
      data-narrow={hasColumns() ? narrow.value : 'middle'}
      data-drawer={String(isDrawerOpen.value)}
      data-columns={hasModel ? 'three' : 'two'}
      data-testid="frame"
      data-state={application.value.state}
    >
      <Bar />
      <Tree />
      <Divider width={leftWidth} grows={1} label="Width of the tree" />
      <main class="middle" id="middle" tabIndex={-1}>
        {hasColumns() ? <ColumnTabs /> : null}
        <Notices />
        <Fence name={route.value.join('/')}>
          <div class="page">
            {route.value[0] === 'traffic' ? (
              <TrafficView chosen={Number(route.value[1])} />
            ) : (
              <Ready of={application.value}>
                {(known) => <Middle application={known} route={route.value} />}
              </Ready>
            )}
          </div>
        </Fence>
      </main>
      {hasModel ? (
        <>
          <Divider width={rightWidth} grows={-1} label="Width of the model's column" />
          <aside class="right" aria-label="What the model sees" tabIndex={0}>
            <Fence name={route.value.join('/')}>
              <ModelColumn />
            </Fence>
          </aside>
        </>
      ) : null}
      <Timeline />
      <Palette />
      <QuestionDialog />
    </div>
  );
}

/** An action is tried and is seen by a model; of other views the model's page says as much as the column does. */
function hasColumns(): boolean {
  return route.value[0] === 'tool';
}

/** Views that say nothing of tools have the room for themselves. */
function hasModelColumn(): boolean {
  const [place = ''] = route.value;
  return application.value.state !== 'failed' && (place === '' || place === 'tool');
}

/** Another view begins at its top; another part of the same one stays where it is. */
function useTop(): void {
  const [place = '', name = '', part = ''] = route.value;
  const view =
    place === 'traffic'
      ? place
      : [place, name, place === 'tool' || place === 'surfaces' ? part : ''].join('/');
  useLayoutEffect(() => document.getElementById('middle')?.scrollTo(0, 0), [view]);
}

/** A tab of the browser, a bookmark and the history say where they lead. */
function useTitle(): void {
  const [place = '', ...names] = route.value;
  const subject = place === 'tool' ? names.join('.') : [place, ...names].join(' ').trim();
  const { server } = knownApplication.value ?? {};
  const title = [subject, server?.title ?? server?.name, 'Toolwright explorer'].filter(Boolean).join(' · ');
  useLayoutEffect(() => void (document.title = title), [title]);
}

const COLUMNS = [
  ['middle', 'Try it'],
  ['model', 'What the model sees'],
] as const;

function ColumnTabs() {
  return (
    <div class="narrow-only" data-testid="columns">
      <Tabs
        label="Column"
        id="column"
        names={COLUMNS}
        chosen={narrow.value}
        onChoose={(column) => (narrow.value = column)}
      />
    </div>
  );
}

/** What went wrong with the last swap, over everything else; then what the last one changed. */
function Notices() {
  const failure = problems.value;
  const { value } = notice;
  const away = application.value.state === 'ready' ? lost.value : undefined;
  return (
    <>
      {away === undefined ? null : (
        <div data-testid="lost">
          <Problem failure={away} />
        </div>
      )}
      {failure === undefined ? null : (
        <section class="problems" data-testid="problems" aria-label="Problems of the last save" tabIndex={0}>
          <h2>The last save does not run; what ran before still serves</h2>
          {failure.problems.length === 0 ? <pre>{failure.text}</pre> : null}
          {failure.problems.map(({ code, where = '', what, why, fix }) => (
            <Problem
              key={`${where} ${what}`}
              failure={{
                code,
                what: `${where} ${what}`.trim(),
                ...(why === undefined ? {} : { why }),
                ...(fix === undefined ? {} : { fix }),
              }}
            />
          ))}
        </section>
      )}
      <div role="status">
        {value === undefined ? null : (
          <p class="notice row" data-testid="notice">
            <span>{value.text}</span>
            {value.link === undefined ? null : <a href={value.link}>difference</a>}
            <span class="space" />
            <button
              type="button"
              class="quiet"
              aria-label="Close the notice"
              onClick={() => (notice.value = undefined)}
            >
              ×
            </button>
          </p>
        )}
      </div>
    </>
  );
}

let lastKey = '';

function takeKey(event: KeyboardEvent): void {
  const isCommand = event.ctrlKey || event.metaKey;
  if (isCommand && event.key.toLowerCase() === 'k') {
    event.preventDefault();
    isPaletteOpen.value = true;
    return;
  }
  if (event.key === 'Escape') closeDrawer('drawer');
  if (isCommand || event.altKey || isTyping(event)) return;
  KEYS[lastKey === 'g' ? `g ${event.key}` : event.key]?.();
  lastKey = event.key;
}

/** Those that are pressed alone. */
const KEYS: Readonly<Record<string, () => void>> = {
  '[': () => step(-1),
  ']': () => step(1),
  'g t': () => goTo('#/traffic'),
  '?': () => goTo('#/keys'),
};

function step(by: number): void {
  const known = knownApplication.value;
  if (known === undefined) return;
  const links = rowsOf(known).flatMap(({ link }) => link ?? []);
  const next = links.indexOf(linkTo(...route.value)) + by;
  goTo(links.at(Math.max(next, -1) % links.length) ?? '#/');
}
