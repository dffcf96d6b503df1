import type { ExploredApplication } from '../../contract.ts';
import { Copy } from '../parts/basic.tsx';
import { era, headers } from '../state/settings.ts';
import { CallerView } from './caller-view.tsx';

/** What the application says of itself, and how the page calls it. */
export function Overview({ application }: { readonly application: ExploredApplication }) {
  const { server, tools, prompts, resources, templates, surfaceHash, authorization } = application;
  const actions = tools.reduce((count, tool) => count + tool.actions.length, 0);
  const counts = [
    ['tools', tools.length],
    ['actions', actions],
    ['prompts', prompts.length],
    ['resources', resources.length],
    ['templates', templates.length],
  ] as const;
  return (
    <article data-testid="overview">
      <h2>{server.title ?? server.name}</h2>
      {server.instructions === undefined ? (
        <p class="faint">It gives no instructions to a model.</p>
      ) : (
        <p class="prose">{server.instructions}</p>
      )}
      <dl class="figures">
        {counts.map(([name, count]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd class="number">{count}</dd>
          </div>
        ))}
      </dl>
      <p>
        surface <code class="long">{surfaceHash}</code> <Copy text={() => surfaceHash} />
      </p>
      <h3>How this page calls</h3>
      <p class="row">
        era
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
      </p>
      {authorization === undefined ? null : <CallerView authorization={authorization} />}
      <Headers />
    </article>
  );
}

function Headers() {
  const list = headers.value;
  const change = (at: number, pair: readonly [string, string]): void => {
    headers.value = list.map((old, index) => (index === at ? pair : old));
  };
  return (
    <section aria-label="Headers">
      {list.map(([name, value], index) => (
        <p class="row" key={index}>
          <input
            class="short"
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
  ['⌘/Ctrl K', 'go to anything'],
  ['⌘/Ctrl ⏎', 'call'],
  ['⌘/Ctrl ⇧ ⏎', 'check'],
  ['[ ]', 'previous and next'],
  ['↑ ↓ ← →', 'move in the tree, close and open groups'],
  ['g t', 'timeline'],
  ['?', 'these keys'],
] as const;

export function Keys() {
  return (
    <article>
      <h2>Keys</h2>
      <dl class="keys">
        {KEYS.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </article>
  );
}
