import { afterEach, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createTool, Module } from 'toolwright';
import { createAppWithCallers, type AppWithCallers } from '../support/callers.ts';
import { tries } from '../support/thorough.ts';

@Module({})
class Nothing {}

const opened: AppWithCallers[] = [];
afterEach(async () => {
  for (const { app } of opened.splice(0)) await app.close();
});

const WORDS = [
  'invoice',
  'invoices',
  'invoke',
  'customer',
  'custom',
  'create',
  'created',
  'note',
  'remove',
  '请求书',
];

interface RandomAction {
  readonly group: string;
  readonly words: readonly string[];
  readonly risk: 'read' | 'write' | 'destructive';
  readonly isHidden: boolean;
  readonly isPinned: boolean;
}

const actionArbitrary: fc.Arbitrary<RandomAction> = fc.record({
  group: fc.constantFrom('sales', 'support', 'stock'),
  words: fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 }),
  risk: fc.constantFrom('read', 'write', 'destructive'),
  isHidden: fc.boolean(),
  isPinned: fc.boolean(),
});
const queryArbitrary = fc
  .array(fc.constantFrom(...WORDS, 'invocie', 'costumer', 'inv', 'delete'), { minLength: 1, maxLength: 3 })
  .map((words) => words.join(' '));

type Named = readonly (RandomAction & { readonly name: string })[];

/** An application whose hidden actions nobody but an administrator sees. */
async function serve(actions: Named): Promise<AppWithCallers> {
  const made = await createAppWithCallers(Nothing, {}, { surface: 'progressive' });
  opened.push(made);
  const roots = [...new Set(actions.map(({ group }) => group))].sort();
  made.app.registry.registerAll(
    ...roots.map((root) => {
      const tool = createTool(root).description(`All of ${root}`);
      for (const { name, words, risk, isHidden, isPinned } of actions.filter(({ group }) => group === root))
        tool.action({
          name,
          description: words.join(' '),
          readOnly: risk === 'read',
          destructive: risk === 'destructive',
          pin: isPinned,
          ...(isHidden ? { requires: { roles: ['admin'] } } : {}),
          input: { type: 'object', properties: { [words[0] ?? '']: { type: 'string' } } },
          handler: () => 'done',
        });
      return tool;
    }),
  );
  return made;
}

test('30, 50: a caller gets the bytes of an application that never had what is hidden', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(actionArbitrary, { minLength: 1, maxLength: 12 }),
      fc.array(queryArbitrary, { minLength: 1, maxLength: 4 }),
      async (actions, queries) => {
        const named = actions.map((action, index) => ({
          ...action,
          name: `${action.words[0]?.replace(/\W/g, 'x') ?? ''}${String(index)}`,
        }));
        const whole = await serve(named);
        const seen = await serve(named.filter(({ isHidden }) => !isHidden));
        const guest = { sub: 'guest' };
        const keys = named.map(({ group, name }) => `${group}.${name}`);
        const requests: readonly (readonly [string, object])[] = [
          ['tools/list', {}],
          ...[
            {},
            ...queries.map((query) => ({ query })),
            ...keys.map((key) => ({ key })),
            { group: 'sales' },
          ].map((args) => ['tools/call', { name: 'find_actions', arguments: args }] as const),
          ...keys.flatMap((action) =>
            ['read_action', 'call_action'].map(
              (name) => ['tools/call', { name, arguments: { action, arguments: {} } }] as const,
            ),
          ),
          ...named.map(
            ({ group, name }) => ['tools/call', { name: `${group}_${name}`, arguments: {} }] as const,
          ),
        ];
        for (const [method, params] of requests) {
          const [got, expected] = [
            await whole.ask(guest, method, params),
            await seen.ask(guest, method, params),
          ];
          expect([params, got.status, got.body]).toEqual([params, expected.status, expected.body]);
        }
      },
    ),
    { numRuns: tries(5, 200) },
  );
});
