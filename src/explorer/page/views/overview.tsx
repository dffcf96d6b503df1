import type { ExploredAction, ExploredApplication } from '../../contract.ts';
import { Badge, Copy, Figures } from '../parts/basic.tsx';
import { Keys as KeyNames } from '../parts/keys.tsx';
import { meaningOf, MEANINGS } from '../state/offers.ts';
import { era, headers } from '../state/settings.ts';
import { CallerView } from './caller-view.tsx';
import { SignInView } from './sign-in-view.tsx';

/** What the application says of itself, and how the page calls it. */
export function Overview({ application }: { readonly application: ExploredApplication }) {
  const { server, tools, prompts, resources, templates, workflows, surfaceHash, authorization } = application;
  const actions = tools.flatMap((tool) => tool.actions);
  const counts = { tools, actions, prompts, resources, templates, workflows };
  return (
    <article data-testid="overview">
      <header class="head">
        <h2>{server.title ?? server.name}</h2>
        {server.instructions === undefined ? (
          <p class="faint">It gives no instructions to a model.</p>
        ) : (
          <p class="prose" dir="auto">
            {server.instructions}
          </p>
        )}
      </header>
      <Figures
        of={Object.entries(counts).map(([name, { length }]) => [
          length === 1 ? name.slice(0, -1) : name,
          length.toLocaleString('en'),
        ])}
      />
      <dl class="facts">
        {actions.length === 0 ? null : (
          <div>
            <dt>actions</dt>
            <dd class="row">
              <Meanings actions={actions} />
            </dd>
          </div>
        )}
        <div>
          <dt>surface</dt>
          <dd>
            <code class="long">{surfaceHash}</code> <Copy text={() => surfaceHash} />{' '}
            <a href="#/surfaces">what clients get</a>
          </dd>
        </div>
      </dl>
      <section class="settings" aria-label="How this page calls">
        <h3>How this page calls</h3>
        <EraChoice />
        <SignInView application={application} />
        {authorization === undefined ? null : <CallerView authorization={authorization} />}
        <Headers />
      </section>
    </article>
  );
}

/** How many of them read, write, ask first and destroy. */
function Meanings({ actions }: { readonly actions: readonly ExploredAction[] }) {
  return (
    <>
      {(['reads', 'writes', 'asks', 'destroys'] as const).map((meaning) => {
        const count = actions.filter((action) => meaningOf(action) === meaning).length;
        return count === 0 ? null : (
          <Badge key={meaning} meaning={meaning}>
            {count} {MEANINGS[meaning].word}
          </Badge>
        );
      })}
    </>
  );
}

function EraChoice() {
  return (
    <div class="row">
      <span class="label">era</span>
      <span class="choice" role="group" aria-label="Era">
        {(['2025', '2026'] as const).map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={era.value === name}
            onClick={() => (era.value = name)}
          >
            {name === '2025' ? '2025-11-25' : '2026-07-28'}
          </button>
        ))}
      </span>
    </div>
  );
}

function Headers() {
  const list = headers.value;
  const change = (at: number, pair: readonly [string, string]): void => {
    headers.value = list.map((old, index) => (index === at ? pair : old));
  };
  return (
    <section class="headers" aria-label="Headers">
      <h4>headers of every call</h4>
      {list.map(([name, value], index) => (
        <p class="header" key={index}>
          <input
            aria-label={`Name of header ${index + 1}`}
            value={name}
            onChange={(event) => change(index, [event.currentTarget.value, value])}
          />
          <input
            aria-label={`Value of header ${index + 1}`}
            value={value}
            onChange={(event) => change(index, [name, event.currentTarget.value])}
          />
          <button
            type="button"
            class="quiet"
            aria-label={`Remove header ${index + 1}`}
            onClick={() => (headers.value = list.filter((_, at) => at !== index))}
          >
            ×
          </button>
        </p>
      ))}
      <button
        type="button"
        class="quiet"
        onClick={() => (headers.value = [...list, [`x-header-${list.length + 1}`, '']])}
      >
        + header
      </button>
    </section>
  );
}

const KEYS = [
  ['Mod K', 'go to anything'],
  ['Mod Enter', 'call; answer a question'],
  ['Mod Shift Enter', 'check'],
  ['[', 'the one before'],
  [']', 'the next one'],
  ['↑ ↓', 'move in the tree, in the steps of a workflow'],
  ['← →', 'close and open groups of the tree; move between tabs; resize a column'],
  ['g t', 'traffic'],
  ['Esc', 'close a dialog; a question is cancelled'],
  ['?', 'these keys'],
] as const;

export function Keys() {
  return (
    <article data-testid="keys">
      <h2>Keys</h2>
      <table class="key-list">
        <tbody>
          {KEYS.map(([keys, what]) => (
            <tr key={keys}>
              <th scope="row">
                <KeyNames of={keys} isRead />
              </th>
              <td>{what}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </article>
  );
}
