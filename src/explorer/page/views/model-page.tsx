import type { ModelView } from '../../contract.ts';
import { Copy, Figures, Ready } from '../parts/basic.tsx';
import { knownApplication, model } from '../state/application.ts';
import { linkTo } from '../state/links.ts';
import { Bar, FormatChoice, Losses } from './model-column.tsx';

/** What all tools cost a model, the dearest first. */
export function ModelPage() {
  return (
    <article data-testid="model-page">
      <div class="row">
        <h2>What the model sees</h2>
        <span class="space" />
        <FormatChoice />
      </div>
      <Ready of={model.value}>
        {(view) => (
          <>
            <Figures
              of={[
                [
                  `tokens, ${view.isExact ? 'exact' : 'estimated'}`,
                  `${view.isExact ? '' : '≈ '}${figure(view.tokens)}`,
                ],
                ['bytes', figure(view.bytes)],
                ['tools', figure(view.tools.length)],
              ]}
            />
            <p class="row">
              <span class="faint">{view.of}</span>
              <Copy text={() => `[${view.tools.map(({ text }) => text).join(',')}]`}>copy all tools</Copy>
            </p>
            <Costs view={view} />
            <Losses warnings={view.warnings} />
          </>
        )}
      </Ready>
    </article>
  );
}

function Costs({ view: { tools, tokens: all } }: { readonly view: ModelView }) {
  return (
    <table class="wide">
      <thead>
        <tr>
          <th scope="col">tool</th>
          <th scope="col" class="number">
            bytes
          </th>
          <th scope="col" class="number">
            tokens
          </th>
          <th scope="col" class="share">
            share
          </th>
        </tr>
      </thead>
      <tbody>
        {[...tools]
          .sort((one, other) => other.tokens - one.tokens)
          .map((tool) => (
            <tr key={tool.name}>
              <th scope="row">
                <a href={linkTo('tool', nameOf(tool.name, tools.indexOf(tool)))}>{tool.name}</a>
              </th>
              <td class="number">{figure(tool.bytes)}</td>
              <td class="number">{figure(tool.tokens)}</td>
              <td class="share">
                <Bar value={tool.tokens} most={all} />
                <span class="number">{Math.round((100 * tool.tokens) / Math.max(1, all))} %</span>
              </td>
            </tr>
          ))}
      </tbody>
    </table>
  );
}

/** Of the application: a format may call the tool something else. */
function nameOf(written: string, index: number): string {
  return knownApplication.value?.tools[index]?.name ?? written;
}

function figure(count: number): string {
  return count.toLocaleString('en');
}
