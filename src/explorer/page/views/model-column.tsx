import type { ModelTool, ModelView, ModelWarning } from '../../contract.ts';
import { Copy, Empty, Ready } from '../parts/basic.tsx';
import { bytesOf, countOf, tokensOf } from '../parts/figures.ts';
import { knownApplication, model } from '../state/application.ts';
import { route } from '../state/route.ts';
import { modelFormat } from '../state/settings.ts';

const MOST_SHOWN = 20;

const PARTS = [
  ['description', 'description'],
  ['fieldTexts', 'fields'],
  ['names', 'names'],
  ['values', 'enums'],
  ['structure', 'structure'],
] as const;

/** What a model gets of the tool at hand, and what each part costs. */
export function ModelColumn() {
  const [place, name] = route.value;
  return (
    <section data-testid="model-column">
      <div class="row">
        <h2>What the model sees</h2>
        <span class="space" />
        <FormatChoice />
      </div>
      <Ready of={model.value}>
        {(view) => {
          const tools = place === 'tool' ? toolsNamed(view, name ?? '') : [];
          if (tools.length > 0)
            return tools.map((tool) => <OneTool key={tool.name} tool={tool} view={view} />);
          return <Totals view={view} />;
        }}
      </Ready>
    </section>
  );
}

/** Formats give tools other names, in the same order, or make several of one: `tool_action`. */
function toolsNamed({ tools }: ModelView, name: string): readonly ModelTool[] {
  const known = knownApplication.value?.tools ?? [];
  if (known.length === tools.length) return tools.filter((_, index) => known[index]?.name === name);
  const exact = tools.filter((tool) => tool.name === name);
  return exact.length > 0 ? exact : tools.filter((tool) => tool.name.startsWith(`${name}_`));
}

let knownFormats: readonly string[] = ['mcp'];

export function FormatChoice() {
  const { value } = model;
  // Also where the chosen one cannot say these tools: another can be chosen
  if (value.state === 'ready') knownFormats = value.value.formats;
  const formats = knownFormats.includes(modelFormat.value)
    ? knownFormats
    : [modelFormat.value, ...knownFormats];
  return (
    <select
      aria-label="Format"
      data-testid="format"
      value={modelFormat.value}
      onChange={(event) => (modelFormat.value = event.currentTarget.value)}
    >
      {formats.map((format) => (
        <option key={format} value={format}>
          {format}
        </option>
      ))}
    </select>
  );
}

function OneTool({ tool, view }: { readonly tool: ModelTool; readonly view: ModelView }) {
  return (
    <article>
      <p class="row">
        <code class="strong long">{tool.name}</code>
        <span class="space" />
        <span class="number faint">{bytesOf(tool.bytes)}</span>
        <span class="number strong" data-testid="tool-tokens">
          {tokensOf(tool.tokens, view.isExact)}
        </span>
      </p>
      <Parts tool={tool} />
      <Losses warnings={view.warnings} />
      <div class="row">
        <h3>text</h3>
        <span class="space" />
        <Copy text={() => tool.text} />
      </div>
      <pre tabIndex={0} data-testid="model-text">
        {pretty(tool.text)}
      </pre>
    </article>
  );
}

/** The description as a model reads it, then the whole definition. */
function pretty(text: string): string {
  try {
    const value = JSON.parse(text) as { readonly description?: unknown };
    return `${typeof value.description === 'string' ? `${value.description}\n\n` : ''}${JSON.stringify(value, undefined, 1)}`;
  } catch {
    return text;
  }
}

/** How much of the most something is; the figure stands beside it. */
export function Bar({ value, most }: { readonly value: number; readonly most: number }) {
  return (
    <svg class="part" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
      <rect class="whole" width="100" height="4" />
      <rect width={most === 0 ? 0 : (value / most) * 100} height="4" />
    </svg>
  );
}

function Parts({ tool }: { readonly tool: ModelTool }) {
  const most = Math.max(1, ...Object.values(tool.parts));
  return (
    <table class="parts">
      <caption class="unseen">Tokens of each part</caption>
      <tbody>
        {PARTS.map(([part, word]) => (
          <tr key={part}>
            <th scope="row">{word}</th>
            <td class="number">{tool.parts[part]}</td>
            <td class="share">
              <Bar value={tool.parts[part]} most={most} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function Losses({ warnings }: { readonly warnings: readonly ModelWarning[] }) {
  if (warnings.length === 0) return null;
  // The same loss of many tools is one line
  const counted = new Map<string, number>();
  for (const { message } of warnings) counted.set(message, (counted.get(message) ?? 0) + 1);
  return (
    <details class="losses" open>
      <summary>
        <span aria-hidden="true">⚠</span> {countOf(warnings.length, 'loss', 'losses')} in this format
      </summary>
      <ul>
        {[...counted].map(([message, count]) => (
          <li key={message}>
            {message}
            {count === 1 ? null : <span class="faint number"> × {count}</span>}
          </li>
        ))}
      </ul>
    </details>
  );
}

function Totals({ view }: { readonly view: ModelView }) {
  if (view.tools.length === 0)
    return <Empty title="A model sees no tool">Tools appear here with what they cost.</Empty>;
  const dearest = [...view.tools].sort((one, other) => other.tokens - one.tokens);
  return (
    <>
      <p class="row">
        all tools <span class="space" />
        <span class="number faint">{bytesOf(view.bytes)}</span>{' '}
        <span class="number strong">{tokensOf(view.tokens, view.isExact)}</span>
      </p>
      <table class="parts">
        <caption class="unseen">Tokens of each tool</caption>
        <tbody>
          {dearest.slice(0, MOST_SHOWN).map((tool) => (
            <tr key={tool.name}>
              <th scope="row" title={tool.name}>
                <code>{tool.name}</code>
              </th>
              <td class="number">{tool.tokens.toLocaleString('en')}</td>
              <td class="share">
                <Bar value={tool.tokens} most={dearest[0]?.tokens ?? 0} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {dearest.length <= MOST_SHOWN ? null : (
        <a href="#/model">{countOf(dearest.length - MOST_SHOWN, 'more tool')}</a>
      )}
      <p class="faint">{view.of}</p>
    </>
  );
}
