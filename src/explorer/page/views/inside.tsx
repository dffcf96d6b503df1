import type { ExploredInside } from '../../contract.ts';

/** What a client does not see: the way of a call, and what checks it. */
export function Inside({ inside }: { readonly inside: ExploredInside }) {
  const { handler, middleware, checks, requires, limits, sensitive } = inside;
  const chain = [...middleware, handler ?? 'handler'];
  const facts = [
    ['requires', requires],
    ['limits', limits],
    ['masked', sensitive],
    [
      'checked',
      checks.map(
        ({ dto, path, reason }) =>
          `${dto === undefined ? '' : `${dto}: `}${WORDS[path]}${reason === '' ? '' : `, ${reason}`}`,
      ),
    ],
  ] as const;
  return (
    <section class="inside" aria-label="Inside">
      <h3>Inside</h3>
      <ol class="chain" aria-label="Middleware, the outermost first">
        {chain.map((name, index) => (
          <li key={`${index} ${name}`} data-kind={index === chain.length - 1 ? 'handler' : 'middleware'}>
            <code>{name}</code>
          </li>
        ))}
      </ol>
      <dl>
        {facts.map(([name, list]) =>
          list.length === 0 ? null : (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{list.join('; ')}</dd>
            </div>
          ),
        )}
      </dl>
    </section>
  );
}

const WORDS = {
  generated: 'by generated code',
  closures: 'by code',
  'class-stack': 'by class-validator',
  schema: 'by its schema',
} as const;
