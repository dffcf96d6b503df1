import type { ModelTool, ModelView, ModelWarning } from '../../contract.ts';
import { Copy, Empty, Ready } from '../parts/basic.tsx';
import { knownApplication, model } from '../state/application.ts';
import { route } from '../state/route.ts';
import { modelFormat } from '../state/settings.ts';

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
        <code>{tool.name}</code>
        <span class="space" />
        <span class="number">{tool.bytes.toLocaleString('en')} B</span>
        <span class="number strong" data-testid="tool-tokens">
          {view.isExact ? '' : '≈ '}
          {tool.tokens.toLocaleString('en')} tok
        </span>
      </p>
      <Parts tool={tool} />
      <Losses warnings={view.warnings} />
      <p class="row">
        <h3>text</h3>
        <span class="space" />
        <Copy text={() => tool.text} />
      </p>
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
            <td aria-hidden="true">
              <meter min={0} max={most} value={tool.parts[part]} aria-label={word} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function Losses({ warnings }: { readonly warnings: readonly ModelWarning[] }) {
  if (warnings.length === 0) return null;
  return (
    <details open>
      <summary>⚠ {warnings.length} losses in this format</summary>
      <ul>
        {warnings.map(({ message }) => (
          <li key={message}>{message}</li>
        ))}
      </ul>
    </details>
  );
}

function Totals({ view }: { readonly view: ModelView }) {
  if (view.tools.length === 0)
    return <Empty title="A model sees no tool">Tools appear here with what they cost.</Empty>;
  return (
    <>
      <p class="row">
        all tools <span class="space" />
        <span class="number">{view.bytes.toLocaleString('en')} B</span>{' '}
        <span class="number strong">
          {view.isExact ? '' : '≈ '}
          {view.tokens.toLocaleString('en')} tok
        </span>
      </p>
      <p class="faint">{view.of}</p>
    </>
  );
}
