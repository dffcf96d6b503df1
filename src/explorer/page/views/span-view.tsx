import { useState } from 'preact/hooks';
import { Copy } from '../parts/basic.tsx';
import { clockOf, dayOf, durationOf } from '../parts/figures.ts';
import { dangerOf, faultOfReplay, replay, requestOf, type SentRequest } from '../state/traffic/replay.ts';
import type { Span } from '../state/traffic/span.ts';
import { membersOf } from '../../../shared/json.ts';
import { CallCopies } from './action/call-copies.tsx';
import { Json } from './result-view.tsx';

/** One span: what is known of it, what can be done with it, and its messages in both directions. */
export function SpanView({ span, isLive }: { readonly span: Span; readonly isLive: boolean }) {
  const { method, subject, kind, at, duration, state, status, client, messages } = span;
  const request = requestOf(span);
  const facts = [
    client ?? (kind === 'task' ? 'task' : kind),
    status === undefined ? state : `${state}, ${status}`,
    `${dayOf(at)} ${clockOf(at)}`,
    duration === undefined ? undefined : durationOf(duration),
  ];
  return (
    <section aria-label="Messages" data-testid="messages">
      <h3>
        {method} <code class="long">{subject}</code>
      </h3>
      <p class="faint">{facts.filter((fact) => fact !== undefined).join(' · ')}</p>
      <div class="row">
        {isLive && request !== undefined ? <Replay span={span} request={request} /> : null}
        <span class="space" />
        {request?.method === 'tools/call' ? (
          <CallCopies
            tool={String(request.params['name'])}
            args={() => membersOf(request.params['arguments'])}
          />
        ) : null}
        <Copy text={() => messages.map((passed) => JSON.stringify(passed)).join('\n')}>messages</Copy>
      </div>
      {messages.length === 0 ? <p class="faint">Only what is above is known of it.</p> : null}
      {messages.map(({ at: passedAt, direction, message, http }, index) => (
        <details key={index} open data-testid="message" data-state={direction}>
          <summary>
            <span aria-hidden="true">{direction === 'sent' ? '→' : '←'}</span> {direction}{' '}
            <span class="number">+{Math.round(passedAt - at).toLocaleString('en')} ms</span>
          </summary>
          {message === undefined ? <p class="faint">No message came with it.</p> : <Json value={message} />}
          {http === undefined ? null : (
            <details data-testid="http">
              <summary>HTTP {http.response.line}</summary>
              <Json value={http} />
            </details>
          )}
        </details>
      ))}
    </section>
  );
}

/** Sends the request once more; what destroys is asked for first. */
function Replay({ span, request }: { readonly span: Span; readonly request: SentRequest }) {
  const [isAsking, setAsking] = useState(false);
  const fault = faultOfReplay(request);
  const danger = dangerOf(request);
  if (fault !== undefined)
    return (
      <p class="faint" data-testid="no-replay">
        {fault}
      </p>
    );
  if (!isAsking)
    return (
      <button
        type="button"
        data-testid="replay"
        onClick={() => (danger === undefined ? replay(span, request) : setAsking(true))}
      >
        replay
      </button>
    );
  return (
    <span class="row" role="alert" data-testid="replay-question">
      {danger} Send it again?
      <button type="button" data-testid="replay-anyway" onClick={() => replay(span, request)}>
        send it
      </button>
      <button type="button" data-testid="keep" onClick={() => setAsking(false)}>
        do not
      </button>
    </span>
  );
}
