import type { ModelTool, PreviewedResults, SeenClient, SurfaceView } from '../../contract.ts';
import { Badge, Copy, Empty, Figures, Ready } from '../parts/basic.tsx';
import { bytesOf, clockOf, tokensOf } from '../parts/figures.ts';
import { linkTo } from '../state/links.ts';
import { goTo, route } from '../state/route.ts';
import { surface } from '../state/surface.ts';

const GENERIC = 'generic';

/** What each client is listed, and which clients there are. */
export function SurfacesPage() {
  return (
    <article data-testid="surfaces-page">
      <h2>What clients get</h2>
      <Ready of={surface.value}>
        {(view) => (
          <>
            <Choice view={view} />
            <p data-testid="surface-why">
              <code class="long strong">{view.surface}</code> <span class="faint">{view.why}</span>
            </p>
            {view.ignoresCaller ? (
              <p class="faint">The list is that of a caller who may see everything.</p>
            ) : null}
            <Figures
              of={[
                ['tools', view.model.tools.length.toLocaleString('en')],
                ['tokens, exact', view.model.tokens.toLocaleString('en')],
                ['bytes', view.model.bytes.toLocaleString('en')],
              ]}
            />
            <Tools view={view} />
            {view.results === undefined ? null : <Results of={view.results} />}
            <SeenClients seen={view.seen} />
          </>
        )}
      </Ready>
    </article>
  );
}

function Choice({ view: { surfaces, clients } }: { readonly view: SurfaceView }) {
  const [, kind = 'client', name = GENERIC] = route.value;
  return (
    <label class="row">
      <span class="label">for</span>
      <select
        data-testid="surface-choice"
        value={`${kind}/${name}`}
        onChange={({ currentTarget: { value } }) => goTo(linkTo('surfaces', ...value.split('/')))}
      >
        <optgroup label="Clients">
          {clients.map(({ id, title }) => (
            <option key={id} value={`client/${id}`}>
              {title}
            </option>
          ))}
        </optgroup>
        <optgroup label="Surfaces">
          {surfaces.map((each) => (
            <option key={each} value={`surface/${each}`}>
              {each}
            </option>
          ))}
        </optgroup>
      </select>
    </label>
  );
}

function Tools({ view: { model, beside } }: { readonly view: SurfaceView }) {
  const { tools } = model;
  return (
    <section class="listed" aria-label="Tools">
      <div class="row">
        <h3>Tools</h3>
        <span class="space" />
        <Copy text={() => `[${tools.map(({ text }) => text).join(',')}]`}>copy all</Copy>
      </div>
      {tools.length === 0 ? <Empty title="No tool is listed">This caller may call none.</Empty> : null}
      {tools.map((tool) => (
        <ListedTool key={tool.name} tool={tool} isBeside={beside.includes(tool.name)} />
      ))}
    </section>
  );
}

function ListedTool({ tool, isBeside }: { readonly tool: ModelTool; readonly isBeside: boolean }) {
  const { description, ...others } = JSON.parse(tool.text) as { readonly description?: string };
  return (
    <details data-testid="listed-tool">
      <summary>
        <code class="strong long">{tool.name}</code>{' '}
        <span class="number faint">
          {tokensOf(tool.tokens, true)}, {bytesOf(tool.bytes)}
        </span>{' '}
        {isBeside ? <Badge>of no group</Badge> : null}
      </summary>
      {description === undefined ? null : (
        <pre tabIndex={0} aria-label={`Description of ${tool.name}`} dir="auto">
          {description}
        </pre>
      )}
      <pre tabIndex={0} aria-label={`Definition of ${tool.name}`}>
        {JSON.stringify(others, undefined, 1)}
      </pre>
    </details>
  );
}

const FORMS = {
  both: 'text, with the structure of declared outputs',
  structure: 'one line of text with the structure of declared outputs; text alone for all others',
  text: 'text alone',
} as const;
const READS = { text: 'the text', structure: 'the structure', both: 'text and structure' } as const;

function Results({
  of: { form, reads, tokens, characters, errorCharacters, dropped, isKnown },
}: ResultsProps) {
  const limits = [
    [tokens, 'tokens'],
    [characters, 'characters'],
    [errorCharacters, 'characters of an error'],
  ] as const;
  const said = limits.flatMap(([count, unit]) =>
    count === undefined ? [] : [`${count.toLocaleString('en')} ${unit}`],
  );
  const facts = [
    ['form', FORMS[form]],
    ['reads', READS[reads]],
    [
      'limit',
      said.length === 0
        ? 'none'
        : `${said.join(', ')}${isKnown ? '' : ', where the application declares no budget'}`,
    ],
    ['drops', dropped.length === 0 ? 'nothing that is known' : dropped.join(', ')],
  ] as const;
  return (
    <section aria-label="Results" data-testid="surface-results">
      <h3>Results</h3>
      <dl class="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

interface ResultsProps {
  readonly of: PreviewedResults;
}

const REASONS = {
  choice: 'it chose it',
  client: 'it fits the client',
  application: 'the application offers it',
} as const;

function SeenClients({ seen }: { readonly seen: readonly SeenClient[] }) {
  return (
    <section aria-label="Clients that called" data-testid="seen-clients">
      <h3>Clients that called</h3>
      {seen.length === 0 ? (
        <Empty title="No client has called so far">This page itself is not one of them.</Empty>
      ) : (
        <ul class="seen">
          {seen.map((client) => (
            <SeenRow
              key={JSON.stringify([client.name, client.version, client.userAgent, client.era])}
              client={client}
            />
          ))}
        </ul>
      )}
    </section>
  );
}

function SeenRow({ client }: { readonly client: SeenClient }) {
  const { id, name, version = '', userAgent = 'no name', era, surface: at, by, at: time } = client;
  return (
    <li data-testid="seen-client">
      <p>
        <a
          href={
            at !== undefined && by === 'choice'
              ? linkTo('surfaces', 'surface', at)
              : linkTo('surfaces', 'client', id)
          }
        >
          <bdi>{name ?? userAgent}</bdi>
        </a>{' '}
        <bdi>{version}</bdi> <span class="faint">{id === GENERIC ? 'not known' : `known as ${id}`}</span>
      </p>
      <p class="faint">
        {era === 'none' ? 'no era' : `era ${era}`}, last at {clockOf(time)}:{' '}
        {at === undefined || by === undefined ? (
          'has not asked for tools'
        ) : (
          <>
            <code>{at}</code>, {REASONS[by]}
          </>
        )}
      </p>
    </li>
  );
}
