import { useRef, useState } from 'preact/hooks';
import { SpanList } from '../frame/timeline.tsx';
import { Empty, Problem } from '../parts/basic.tsx';
import { opened, openFailure, openSession, saveSession } from '../state/traffic/saved-session.ts';
import { type Span, SPAN_KINDS } from '../state/traffic/span.ts';
import { spans } from '../state/traffic/timeline.ts';
import { SpanView } from './span-view.tsx';

const KINDS = {
  request: 'requests',
  notification: 'notifications',
  question: 'questions',
  task: 'tasks',
  other: 'other clients',
} as const;

interface Props {
  /** The id of a span. */
  readonly chosen: number;
  /** Nothing happens here: there is no server. */
  readonly isFromDisk?: boolean;
}

/** All that happened, or a session from a file: with a filter, and the messages of one span. */
export function TrafficView({ chosen, isFromDisk = false }: Props) {
  const [filter, setFilter] = useState('');
  const [kind, setKind] = useState('');
  const session = opened.value;
  const all = session?.spans ?? spans.value;
  const words = filter.toLowerCase().split(/\s+/);
  const list = all.filter((span) => (kind === '' || span.kind === kind) && isFound(span, words));
  const span = all.find(({ id }) => id === chosen);
  return (
    <article data-testid="traffic" data-state={session === undefined ? 'live' : 'opened'}>
      <div class="row">
        <h2>Traffic</h2>
        <span class="space" />
        <SessionBar isLive={!isFromDisk} canSave={session === undefined && all.length > 0} />
      </div>
      {session === undefined ? null : <OpenedSession session={session} />}
      {openFailure.value === undefined ? null : <Problem failure={openFailure.value} />}
      {all.length === 0 ? (
        <Nothing isFromDisk={isFromDisk} />
      ) : (
        <div class="traffic-list">
          <div class="row filter">
            <input
              type="search"
              aria-label="Filter"
              placeholder="Filter: method, name, state, client"
              value={filter}
              onInput={(event) => setFilter(event.currentTarget.value)}
            />
            <select
              aria-label="Kind"
              data-testid="kind"
              value={kind}
              onChange={(event) => setKind(event.currentTarget.value)}
            >
              <option value="">all kinds</option>
              {SPAN_KINDS.map((each) => (
                <option key={each} value={each}>
                  {KINDS[each]}
                </option>
              ))}
            </select>
          </div>
          {list.length === 0 ? (
            <p class="faint">Nothing of it is left by this filter.</p>
          ) : (
            <SpanList list={list} />
          )}
        </div>
      )}
      {span === undefined ? null : <SpanView key={span.id} span={span} isLive={session === undefined} />}
    </article>
  );
}

function Nothing({ isFromDisk }: { readonly isFromDisk: boolean }) {
  return isFromDisk ? (
    <Empty title="No session is open">
      Open one that was saved: its requests, questions and tasks appear here, without a server.
    </Empty>
  ) : (
    <Empty title="Nothing has happened yet">
      Call an action, or let another client call: each message appears here. Or open a session that was saved.
    </Empty>
  );
}

function isFound(
  { method, subject, state, status = '', client = '' }: Span,
  words: readonly string[],
): boolean {
  const text = `${method} ${subject} ${state} ${status} ${client}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

/** Saves what happened, and opens what was saved. */
function SessionBar({ isLive, canSave }: { readonly isLive: boolean; readonly canSave: boolean }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <div class="row">
      {isLive ? (
        <button type="button" data-testid="save-session" disabled={!canSave} onClick={saveSession}>
          save session
        </button>
      ) : null}
      <button type="button" data-testid="open-session" onClick={() => input.current?.click()}>
        open session…
      </button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label="Session to open"
        data-testid="session-file"
        accept=".jsonl,.ndjson,application/x-ndjson"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          if (file !== undefined) void openSession(file);
          // The same file can be chosen again
          currentTarget.value = '';
        }}
      />
    </div>
  );
}

function OpenedSession({ session }: { readonly session: NonNullable<typeof opened.value> }) {
  return (
    <p class="opened row" data-testid="opened-session">
      <span class="space">
        Session of {session.server.name} {session.server.version}, saved{' '}
        {session.savedAt.replace('T', ' ').replace(/\.\d+Z$/, ' UTC')}, from <code>{session.file}</code>
      </span>
      <button type="button" data-testid="close-session" onClick={() => (opened.value = undefined)}>
        close
      </button>
    </p>
  );
}
