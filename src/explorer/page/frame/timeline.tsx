import { useLayoutEffect, useRef } from 'preact/hooks';
import { clockOf, countOf, durationOf } from '../parts/figures.ts';
import { linkTo } from '../state/links.ts';
import { route } from '../state/route.ts';
import { isTimelineOpen } from '../state/settings.ts';
import type { Span } from '../state/traffic/span.ts';
import { spans } from '../state/traffic/timeline.ts';

const SHOWN = 40;

/** What happened, the last at the bottom. */
export function Timeline() {
  const isOpen = isTimelineOpen.value;
  // The traffic is the same list at full length
  if (route.value[0] === 'traffic') return null;
  return (
    <section
      class="timeline"
      aria-label="Timeline"
      data-testid="timeline"
      data-state={isOpen ? 'open' : 'closed'}
    >
      <button
        type="button"
        class="quiet"
        aria-expanded={isOpen}
        onClick={() => (isTimelineOpen.value = !isOpen)}
      >
        <span class="fold" aria-hidden="true">
          {isOpen ? '▾' : '▸'}
        </span>{' '}
        timeline <span class="faint number">{countOf(spans.value.length, 'span')}</span>
      </button>
      {isOpen ? <SpanList list={spans.value.slice(-SHOWN)} /> : null}
    </section>
  );
}

function isCurrent({ id }: Span): boolean {
  return route.value[0] === 'traffic' && route.value[1] === String(id);
}

/** Spans as lines, with a bar as long as they took. */
export function SpanList({ list }: { readonly list: readonly Span[] }) {
  if (list.length === 0)
    return (
      <p class="faint">Calls, questions and notifications appear here, those of other clients as well.</p>
    );
  return <Spans list={list} />;
}

function Spans({ list }: { readonly list: readonly Span[] }) {
  const box = useRef<HTMLOListElement>(null);
  const isAtEnd = useRef(true);
  const last = list.at(-1)?.id;
  // What is new is seen, unless a person looks at what was before
  useLayoutEffect(() => {
    if (isAtEnd.current) box.current?.scrollTo(0, box.current.scrollHeight);
  }, [last]);
  const longest = Math.max(1, ...list.map(({ duration = 0 }) => duration));
  return (
    <ol
      ref={box}
      class="spans"
      tabIndex={0}
      aria-label="Spans"
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) =>
        (isAtEnd.current = scrollHeight - scrollTop - clientHeight < 24)
      }
    >
      {list.map((span) => (
        <li key={span.id} data-state={span.state} data-kind={span.kind} data-testid="span">
          <a href={linkTo('traffic', String(span.id))} aria-current={isCurrent(span) ? 'true' : undefined}>
            <time class="number" dateTime={new Date(span.at).toISOString()}>
              {clockOf(span.at)}
            </time>
            <span>{span.method}</span>
            <span class="subject" title={span.subject}>
              <code>{span.subject}</code> <span class="faint">{span.client}</span>
            </span>
            <svg class="span" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
              <rect
                x="0"
                y="2"
                height="6"
                width={span.duration === undefined ? 100 : Math.max(1, (span.duration / longest) * 100)}
              />
            </svg>
            <span class="number">{span.duration === undefined ? 'running' : durationOf(span.duration)}</span>
            <span class="ending">
              {span.status === undefined ? null : <span class="status">task {span.status}</span>}{' '}
              {span.state === 'done' ? '✓' : span.state === 'running' ? '…' : span.state}
            </span>
          </a>
        </li>
      ))}
    </ol>
  );
}
