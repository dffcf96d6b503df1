import { signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { knownApplication } from '../state/application.ts';
import { Mark } from '../parts/basic.tsx';
import { Keys } from '../parts/keys.tsx';
import { type Meaning, type Row, rowsOf, searchRows } from '../state/offers.ts';
import { goTo } from '../state/route.ts';
import { theme } from '../state/settings.ts';

export const isPaletteOpen = signal(false);

const MOST_SHOWN = 30;

interface Entry {
  readonly label: string;
  readonly detail: string;
  readonly meaning?: Meaning;
  /** Undefined where it changes nothing but a setting. */
  readonly link?: string;
  run(): void;
}

const PLACES: readonly Entry[] = [
  ['overview', '#/'],
  ['what the model sees', '#/model'],
  ['what clients get', '#/surfaces'],
  ['dependencies', '#/graph'],
  ['lock', '#/lock'],
  ['evals', '#/evals'],
  ['traffic', '#/traffic'],
  ['all keys', '#/keys'],
].map(([label = '', link = '']) => ({ label, detail: 'view', link, run: () => goTo(link) }));

const SETTINGS: readonly Entry[] = (['light', 'dark', 'system'] as const).map((name) => ({
  label: `${name} theme`,
  detail: 'setting',
  run: () => (theme.value = name),
}));

/** Goes to anything by a few letters. */
export function Palette() {
  const dialog = useRef<HTMLDialogElement>(null);
  const [query, setQuery] = useState('');
  const [at, setAt] = useState(0);
  const isOpen = isPaletteOpen.value;
  useEffect(() => {
    if (!isOpen) return;
    setQuery('');
    setAt(0);
    dialog.current?.showModal();
  }, [isOpen]);
  if (!isOpen) return null;
  const all = find(query);
  const entries = all.slice(0, MOST_SHOWN);
  const run = (entry: Entry | undefined): void => {
    dialog.current?.close();
    entry?.run();
    // The next Tab goes on in what was chosen
    if (entry?.link !== undefined) document.getElementById('middle')?.focus();
  };
  const onKey = (event: KeyboardEvent): void => {
    const next = { ArrowDown: at + 1, ArrowUp: at - 1 }[event.key];
    if (next !== undefined) {
      event.preventDefault();
      setAt(Math.min(Math.max(next, 0), entries.length - 1));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      run(entries[at]);
    }
  };
  return (
    <dialog
      ref={dialog}
      class="palette"
      aria-label="Go to"
      data-testid="palette"
      onClose={() => (isPaletteOpen.value = false)}
    >
      <input
        type="text"
        role="combobox"
        aria-label="Go to"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={entries.length === 0 ? undefined : `palette-${at}`}
        placeholder="An action, a prompt, a resource, a view"
        value={query}
        autofocus
        onKeyDown={onKey}
        onInput={(event) => {
          setQuery(event.currentTarget.value);
          setAt(0);
        }}
      />
      <Found entries={entries} at={at} run={run} />
      <Foot shown={entries.length} found={all.length} />
    </dialog>
  );
}

function Foot({ shown, found }: { readonly shown: number; readonly found: number }) {
  return (
    <p class="faint palette-foot">
      {shown < found ? `${shown} of ${found.toLocaleString('en')}; more letters find fewer` : null}
      <span class="space" />
      <Keys of="↑ ↓" /> move <Keys of="Enter" /> go <Keys of="Esc" /> close
    </p>
  );
}

interface FoundProps {
  readonly entries: readonly Entry[];
  readonly at: number;
  readonly run: (entry: Entry) => void;
}

function Found({ entries, at, run }: FoundProps) {
  useEffect(() => document.getElementById(`palette-${at}`)?.scrollIntoView({ block: 'nearest' }), [at]);
  return (
    <>
      <div id="palette-list" role="listbox" aria-label="Found">
        {entries.map((entry, index) => (
          <div
            key={`${entry.detail} ${entry.label}`}
            id={`palette-${index}`}
            role="option"
            aria-selected={index === at}
            class="row-link"
            onClick={() => run(entry)}
          >
            <span class="space">
              <bdi>{entry.label}</bdi>
            </span>
            <span class="faint">{entry.detail}</span>
            <Mark meaning={entry.meaning ?? 'none'} />
          </div>
        ))}
      </div>
      {entries.length === 0 ? <p class="faint nothing">Nothing has all these words.</p> : null}
    </>
  );
}

function find(query: string): readonly Entry[] {
  const known = knownApplication.value;
  const rows =
    known === undefined ? [] : searchRows(rowsOf(known), query).filter(({ link }) => link !== undefined);
  const fixed = [...PLACES, ...SETTINGS].filter(({ label }) => label.includes(query.toLowerCase()));
  return [...rows.map(entryOf), ...fixed];
}

function entryOf({ label, link = '#/', parents, meaning }: Row): Entry {
  const detail =
    parents
      .at(-1)
      ?.replace(/^tool:/, '')
      .replaceAll(':', ' · ') ?? 'tool';
  return { label, detail, meaning, link, run: () => goTo(link) };
}
