import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compileRouteCheck } from '../../src/operations/other-routes.ts';
import { tries } from '../support/thorough.ts';

/** Another way to say which paths a template answers: a regular expression, as routers have it. */
function answers(template: string, path: string): boolean {
  const pattern = template
    .split('/')
    .map((segment) => (segment === '*' ? '.*' : segment.replace(/\{[^}]*\}/g, '[^/]+')))
    .join('/');
  return new RegExp(`^${pattern}/?$`, 'i').test(path);
}

const word = fc.constantFrom('a', 'b', 'all', 'A');
const segment = fc.oneof(word, fc.constantFrom('{x}', '{y}', 'a-{z}'));
const template = fc
  .array(segment, { minLength: 1, maxLength: 3 })
  .map((segments) => `/${segments.join('/')}`);
const route = fc.record({ method: fc.constantFrom('GET', 'POST', 'ALL'), path: template });
const value = fc.constantFrom('a', 'b', 'ALL', 'all', 'c', 'a-1');

test('a path that is sent leads to no other route of a table, whatever its order and letter case', () => {
  fc.assert(
    fc.property(
      route,
      fc.array(route, { maxLength: 8 }),
      fc.array(value, { minLength: 3, maxLength: 3 }),
      (own, others, values) => {
        const written = own.path
          .split('/')
          .slice(1)
          .map((each, index) => ({ template: each, text: each.replace(/\{[^}]*\}/, values[index] ?? '') }));
        const path = `/${written.map(({ text }) => text).join('/')}`;
        const refused = compileRouteCheck(own, others)(written) !== undefined;
        const reached = others.filter(
          (other) =>
            (other.method === own.method || other.method === 'ALL' || own.method === 'ALL') &&
            answers(other.path, path),
        );
        // A route counts as another one where it has a text in the place of a value
        const led = reached.filter(({ path: other }) =>
          other
            .split('/')
            .slice(1)
            .some((each, index) => {
              const mine = written[index]?.template ?? '';
              const isText = each.replace(/\{[^}]*\}/g, '') !== '';
              const shape = (text: string): string => text.replace(/\{[^}]*\}/g, '{}').toLowerCase();
              return mine.includes('{') && isText && shape(each) !== shape(mine);
            }),
        );
        expect({ refused, others: others.map(({ path: other }) => other), path }).toMatchObject({
          refused: led.length > 0,
        });
      },
    ),
    { numRuns: tries(500, 20_000) },
  );
});
