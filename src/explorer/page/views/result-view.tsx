import { useState } from 'preact/hooks';
import type { JsonObject } from '../../contract.ts';
import { isObject } from '../form/field.ts';
import { Badge, Copy, Problem } from '../parts/basic.tsx';
import { bytesOf, durationOf, tokensOf } from '../parts/figures.ts';
import { Tabs } from '../parts/tabs.tsx';
import { type Call, messagesOf } from '../state/calls.ts';
import { webAddress } from '../state/links.ts';

type View = 'content' | 'structured' | '_meta' | 'raw';

const RAW = ['raw', 'raw'] as const;
const VIEWS = [['content', 'content'], ['structured', 'structured'], ['_meta', '_meta'], RAW] as const;

/** What came of a call; while it runs, how far it is. */
export function ResultView({ call }: { readonly call: Call | undefined }) {
  const [wanted, setView] = useState<View>('content');
  if (call === undefined)
    return (
      <p class="faint result" data-testid="result" data-state="idle">
        Not called yet. The result appears here.
      </p>
    );
  const { failure, state, result } = call;
  // Where nothing came back, what passed is all there is
  const view = result === undefined ? 'raw' : wanted;
  return (
    <section class="result" aria-label="Result" data-testid="result" data-state={state}>
      <Facts call={call} />
      {state === 'running' ? <ProgressBar call={call} /> : null}
      {state === 'cancelled' ? <p class="faint">Cancelled; its result is not awaited any more.</p> : null}
      {failure === undefined ? null : <Problem failure={failure} />}
      {state === 'running' ? null : (
        <>
          <Tabs
            label="View of the result"
            id="result"
            names={result === undefined ? [RAW] : VIEWS}
            chosen={view}
            onChoose={(name) => setView(name)}
          />
          <ResultPart call={call} view={view} />
        </>
      )}
    </section>
  );
}

const MEANING = { failed: 'destroys', running: 'asks', done: 'reads', cancelled: 'none' } as const;

/** How it went, how long it took, how much it is. */
function Facts({ call: { result, state, duration, status, cancel } }: { readonly call: Call }) {
  return (
    <div class="row" role="status">
      <Badge meaning={MEANING[state]}>{result?.['isError'] === true ? 'isError' : state}</Badge>
      {duration === undefined ? null : <span class="number">{durationOf(duration)}</span>}
      {result === undefined ? null : <Size result={result} />}
      {status === undefined ? null : <span data-testid="task">task: {status}</span>}
      <span class="space" />
      {state === 'running' ? (
        <button type="button" data-testid="cancel" onClick={cancel}>
          cancel
        </button>
      ) : null}
      {result === undefined ? null : (
        <Copy text={() => JSON.stringify(result, undefined, 2)}>copy result</Copy>
      )}
    </div>
  );
}

/** In bytes, and about how much a model reads of it. */
function Size({ result }: { readonly result: JsonObject }) {
  const { content } = result;
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [];
  const characters = blocks.reduce<number>((sum, block) => sum + textOf(block).length, 0);
  return (
    <>
      <span class="number">{bytesOf(new TextEncoder().encode(JSON.stringify(result)).length)}</span>
      {characters === 0 ? null : (
        <span class="number" title="Of the text of its content, at four characters a token">
          {tokensOf(Math.ceil(characters / 4), false)}
        </span>
      )}
    </>
  );
}

function textOf(block: unknown): string {
  return isObject(block) && typeof block['text'] === 'string' ? block['text'] : '';
}

function ProgressBar({ call: { progress } }: { readonly call: Call }) {
  if (progress === undefined) return null;
  const { progress: done, total, message } = progress;
  return (
    <p data-testid="progress" class="row">
      <progress aria-label="Progress" value={total === undefined ? undefined : done} max={total} />
      <span class="number">
        {done}
        {total === undefined ? '' : ` of ${total}`}
      </span>{' '}
      {message}
    </p>
  );
}

function ResultPart({ call, view }: { readonly call: Call; readonly view: View }) {
  const { result } = call;
  if (view === 'raw')
    return (
      <Json
        value={messagesOf(call).map(({ direction, message, http }) => ({
          [direction]: message,
          ...(http === undefined ? {} : { http }),
        }))}
      />
    );
  if (result === undefined) return null;
  if (view === 'structured')
    return result['structuredContent'] === undefined ? (
      <p class="faint">It has no structuredContent.</p>
    ) : (
      <Json value={result['structuredContent']} />
    );
  if (view === '_meta')
    return result['_meta'] === undefined ? (
      <p class="faint">It has no _meta.</p>
    ) : (
      <Json value={result['_meta']} />
    );
  return <Contents result={result} />;
}

export function Json({ value }: { readonly value: unknown }) {
  return (
    <pre tabIndex={0} data-testid="json-text">
      {JSON.stringify(value, undefined, 2)}
    </pre>
  );
}

/** The content of a result, or the contents of a resource, or the messages of a prompt. */
function Contents({ result }: { readonly result: JsonObject }) {
  const blocks = [result['content'], result['contents'], result['messages']].find(Array.isArray) as
    | readonly unknown[]
    | undefined;
  if (blocks === undefined) return <Json value={result} />;
  if (blocks.length === 0) return <NoContent structured={result['structuredContent']} />;
  return (
    <div data-testid="content" data-state="filled">
      {blocks.map((block, index) => (
        <Block key={index} block={isObject(block) ? block : { type: 'unknown', value: block }} />
      ))}
    </div>
  );
}

/** An empty list of content is a result; its data may stand beside it. */
function NoContent({ structured }: { readonly structured: unknown }) {
  return (
    <div data-testid="content" data-state="empty">
      {structured === undefined ? (
        <p>It answered with an empty list of content: the call ran, and had nothing to say.</p>
      ) : (
        <>
          <p>It answered with an empty list of content, and with structuredContent:</p>
          <Json value={structured} />
        </>
      )}
    </div>
  );
}

const BASE64 = /^[A-Za-z\d+/]+={0,2}$/;
const IMAGES = /^image\/(png|jpeg|webp|gif)$/;

/** Whatever a server gives is shown as text; images only as data. */
function Block({ block }: { readonly block: JsonObject }) {
  const { type, text, data, blob, mimeType, uri, role, content, resource } = block;
  if (isObject(content))
    return (
      <div>
        <Badge>{String(role)}</Badge>
        <Block block={content} />
      </div>
    );
  if (isObject(resource))
    return (
      <div>
        <p class="faint">
          <code>{String(resource['uri'])}</code> {resource['mimeType'] as string | undefined}
        </p>
        <Block block={resource} />
      </div>
    );
  if (typeof text === 'string')
    return text === '' ? (
      <p class="faint">An empty text.</p>
    ) : (
      <pre tabIndex={0} dir="auto">
        {text}
      </pre>
    );
  const bytes = data ?? blob;
  if (isText(bytes) && isText(mimeType) && IMAGES.test(mimeType) && BASE64.test(bytes))
    return <img src={`data:${mimeType};base64,${bytes}`} alt={`What the server gave as ${mimeType}`} />;
  if (type === 'resource_link' && isText(uri)) return <Link uri={uri} link={block} />;
  return <Json value={block} />;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** A link to a resource, with what is said of it. What is opened is shown as the browser reads it. */
function Link({ uri, link }: { readonly uri: string; readonly link: JsonObject }) {
  const said = [link['title'] ?? link['name'], link['mimeType'], link['description']].filter(isText);
  const address = webAddress(uri);
  return (
    <p>
      {address === undefined ? (
        <code>{uri}</code>
      ) : (
        <a href={address.href} target="_blank" rel="noopener noreferrer">
          {address.href}
        </a>
      )}{' '}
      <bdi class="faint">{said.join(' · ')}</bdi>
    </p>
  );
}
