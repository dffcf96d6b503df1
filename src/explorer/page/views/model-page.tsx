import { Copy, Ready } from '../parts/basic.tsx';
import { knownApplication, model } from '../state/application.ts';
import { linkTo } from '../state/links.ts';
import { FormatChoice, Losses } from './model-column.tsx';

/** Of the application: a format may call the tool something else. */
function nameOf(written: string, index: number): string {
  return knownApplication.value?.tools[index]?.name ?? written;
}

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
            <p>
              <span class="strong">
                {view.isExact ? 'exact' : '≈'} {view.tokens.toLocaleString('en')} tokens
              </span>
              , {view.bytes.toLocaleString('en')} bytes; {view.of}.{' '}
              <Copy text={() => `[${view.tools.map(({ text }) => text).join(',')}]`}>copy all tools</Copy>
            </p>
            <Losses warnings={view.warnings} />
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
                </tr>
              </thead>
              <tbody>
                {[...view.tools]
                  .sort((one, other) => other.tokens - one.tokens)
                  .map((tool) => (
                    <tr key={tool.name}>
                      <th scope="row">
                        <a href={linkTo('tool', nameOf(tool.name, view.tools.indexOf(tool)))}>{tool.name}</a>
                      </th>
                      <td class="number">{tool.bytes.toLocaleString('en')}</td>
                      <td class="number">{tool.tokens.toLocaleString('en')}</td>
                    </tr>
                  ))}
              </tbody>
            </table>
          </>
        )}
      </Ready>
    </article>
  );
}
