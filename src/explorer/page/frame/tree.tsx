import { computed, signal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { Badge, Empty, Mark, Skeleton } from '../parts/basic.tsx';
import { application, knownApplication, problems } from '../state/application.ts';
import { linkTo } from '../state/links.ts';
import { type Row, rowsOf, searchRows } from '../state/offers.ts';
import { route } from '../state/route.ts';

export const isDrawerOpen = signal(false);
/** Where the focus goes on, once what had it is out of sight. */
export function closeDrawer(next: 'drawer' | 'middle'): void {
  if (!isDrawerOpen.value) return;
  isDrawerOpen.value = false;
  document.getElementById(next)?.focus();
}

export const search = signal('');
const closed = signal<ReadonlySet<string>>(new Set());

const rows = computed(() => (knownApplication.value === undefined ? [] : rowsOf(knownApplication.value)));
const counts = computed(() => {
  const counted = new Map<string, number>();
  for (const { link, parents } of rows.value)
    if (link !== undefined) for (const id of parents) counted.set(id, (counted.get(id) ?? 0) + 1);
  return counted;
});
const shown = computed(() => {
  const found = searchRows(rows.value, search.value);
  return search.value === ''
    ? found.filter(({ parents }) => !parents.some((id) => closed.value.has(id)))
    : found;
});

/** What there is: groups and their actions, prompts, resources. Arrow keys move, left and right close and open. */
export function Tree() {
  const input = useRef<HTMLInputElement>(null);
  // A run is shown by the row of its workflow
  const current = linkTo(...(route.value[0] === 'workflow' ? route.value.slice(0, 2) : route.value));
  const isThere = shown.value.some(({ link }) => link === current);
  const isOpen = isDrawerOpen.value;
  useEffect(() => {
    if (isOpen) input.current?.focus();
  }, [isOpen]);
  useEffect(() => {
    document.querySelector('#tree [data-testid="row"][aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [current, isThere]);
  return (
    <nav class="tree" id="tree" aria-label="What there is">
      <input
        ref={input}
        type="search"
        placeholder="Search, tag:…"
        aria-label="Search the tree"
        data-testid="search"
        value={search.value}
        onInput={(event) => (search.value = event.currentTarget.value)}
      />
      {shown.value.length > 0 || knownApplication.value === undefined ? null : search.value === '' ? (
        <Empty title="Nothing is offered" code="@Action('Create a task')">
          A decorated method of a controller appears here.
        </Empty>
      ) : (
        <Empty title="Nothing has all these words">
          Search looks at names, titles, descriptions and tags.
        </Empty>
      )}
      {application.value.state === 'loading' ? <Skeleton /> : null}
      <ul data-testid="tree" onKeyDown={moveFocus}>
        {shown.value.map((row, index) => (
          <TreeRow
            key={row.id}
            row={row}
            isCurrent={row.link === current}
            isEntrance={isThere ? row.link === current : index === 0}
            count={row.link === undefined ? (counts.value.get(row.id) ?? 0) : 0}
          />
        ))}
      </ul>
      <Places />
    </nav>
  );
}

const PLACES = [
  ['', 'overview'],
  ['model', 'what the model sees'],
  ['surfaces', 'what clients get'],
  ['graph', 'dependencies'],
  ['lock', 'lock'],
  ['evals', 'evals'],
  ['traffic', 'traffic'],
] as const;

/** The views that are of the application as a whole. */
function Places() {
  const [place = ''] = route.value;
  const found = problems.value?.problems.length ?? 0;
  return (
    <ul class="places">
      {PLACES.map(([name, word]) => (
        <li key={name}>
          <a
            class="row-link"
            href={linkTo(...(name === '' ? [] : [name]))}
            aria-current={place === name ? 'page' : undefined}
            onClick={() => closeDrawer('middle')}
          >
            {word}
          </a>
        </li>
      ))}
      <li class={problems.value === undefined ? 'row-link' : 'row-link issue'}>
        <span class="space">problems</span> <span class="number">{found}</span>
      </li>
    </ul>
  );
}

interface RowProps {
  readonly row: Row;
  readonly isCurrent: boolean;
  readonly isEntrance: boolean;
  /** Of a group: what is below it. */
  readonly count: number;
}

function TreeRow({ row, isCurrent, isEntrance, count }: RowProps) {
  const isOpen = !closed.value.has(row.id) || search.value !== '';
  // Of a thousand rows, one or two change at a time
  return useMemo(
    () => (
      <li>
        {row.link === undefined ? (
          <Group row={row} isEntrance={isEntrance} isOpen={isOpen} count={count} />
        ) : (
          <Leaf row={row} link={row.link} isEntrance={isEntrance} isCurrent={isCurrent} />
        )}
      </li>
    ),
    [row, isCurrent, isEntrance, isOpen, count],
  );
}

function sharedOf({ id, depth }: Row, isEntrance: boolean) {
  return {
    class: 'row-link',
    'data-depth': Math.min(depth, 6),
    'data-row': id,
    tabIndex: isEntrance ? 0 : -1,
  };
}

function Group({
  row,
  isEntrance,
  isOpen,
  count,
}: Omit<RowProps, 'isCurrent'> & { readonly isOpen: boolean }) {
  return (
    <button
      type="button"
      {...sharedOf(row, isEntrance)}
      aria-expanded={isOpen}
      onClick={() => toggle(row.id, isOpen)}
    >
      <span class="fold" aria-hidden="true">
        {isOpen ? '▾' : '▸'}
      </span>
      <span class="space" title={row.label}>
        {row.label}
      </span>
      <span class="number faint">{count}</span>
    </button>
  );
}

function Leaf({ row, link, isEntrance, isCurrent }: Omit<RowProps, 'count'> & { readonly link: string }) {
  const { label, meaning, isDeprecated } = row;
  return (
    <a
      {...sharedOf(row, isEntrance)}
      href={link}
      data-testid="row"
      aria-current={isCurrent ? 'page' : undefined}
      onClick={() => closeDrawer('middle')}
    >
      <span class={isDeprecated ? 'space deprecated' : 'space'} title={label}>
        <bdi>{label}</bdi>
      </span>
      {isDeprecated ? <Badge>deprecated</Badge> : null}
      <Mark meaning={meaning} />
    </a>
  );
}

function toggle(id: string, isOpen: boolean): void {
  const next = new Set(closed.value);
  if (isOpen) next.add(id);
  else next.delete(id);
  closed.value = next;
}

function moveFocus(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-row]')];
  const at = all.findIndex((element) => element === event.target);
  const current = all[at];
  const id = current?.dataset['row'];
  if (current === undefined || id === undefined) return;
  const isOpen = current.getAttribute('aria-expanded') === 'true';
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
  if (next !== undefined) all[Math.max(next, 0)]?.focus();
  else if (event.key === 'ArrowLeft' && isOpen) toggle(id, true);
  else if (event.key === 'ArrowRight' && current.getAttribute('aria-expanded') === 'false') toggle(id, false);
  else return;
  event.preventDefault();
}
