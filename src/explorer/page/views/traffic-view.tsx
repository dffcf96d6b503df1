import { useState } from 'preact/hooks';
import { SpanList } from '../frame/timeline.tsx';
import { Copy, Empty } from '../parts/basic.tsx';
import { spans } from '../state/timeline.ts';
import { Json } from './result-view.tsx';

/** All that happened, with a filter, and the messages of one span. */
export function TrafficView({ chosen }: { readonly chosen: number }) {
  const [filter, setFilter] = useState('');
  const words = filter.toLowerCase().split(/\s+/);
  const list = spans.value.filter(({ method, subject, state, client = '' }) => {
    const text = `${method} ${subject} ${state} ${client}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const span = spans.value.find(({ id }) => id === chosen);
  return (
    <article data-testid="traffic">
      <h2>Traffic</h2>
      {spans.value.length === 0 ? (
        <Empty title="Nothing has happened yet">
          Call an action, or let another client call: each message appears here.
        </Empty>
      ) : (
        <>
          <input
            type="search"
            aria-label="Filter"
            placeholder="Filter: method, name, state, client"
            value={filter}
            onInput={(event) => setFilter(event.currentTarget.value)}
          />
          <SpanList list={list} />
        </>
      )}
      {span === undefined ? null : (
        <section aria-label="Messages" data-testid="messages">
          <h3 class="row">
            {span.method} <code>{span.subject}</code>
            <span class="space" />
            <Copy text={() => span.messages.map((passed) => JSON.stringify(passed)).join('\n')}>
              copy messages
            </Copy>
          </h3>
          {span.messages.length === 0 ? <p class="faint">Only what is above is known of it.</p> : null}
          {span.messages.map(({ at, direction, message }, index) => (
            <details key={index} open>
              <summary>
                {direction} <span class="number">+{at - span.at} ms</span>
              </summary>
              <Json value={message} />
            </details>
          ))}
        </section>
      )}
    </article>
  );
}
