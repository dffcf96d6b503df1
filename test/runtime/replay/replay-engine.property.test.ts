import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ToolContext } from '../../../src/call/tool-context.ts';
import { replayLocally } from '../../../src/runtime/replay/run-once.ts';
import { createContextFactory } from '../../../src/runtime/tools/context-factory.ts';
import { resultOf } from '../../../src/kernel/call/outcome.ts';
import { callOf } from '../../support/call-of.ts';
import { ABLE, ask2025, replayEngineFor, converse, type Answering, type Handler } from './drive.ts';
import { tries } from '../../support/thorough.ts';

const FORM = {
  type: 'object',
  properties: { word: { type: 'string', minLength: 1 } },
  required: ['word'],
} as const;

/** What a handler does, in a form that can be made up. */
type Plan =
  | {
      readonly do: 'ask' | 'sample' | 'roots' | 'step' | 'throwing';
      readonly id: number;
      readonly isNamed: boolean;
    }
  | { readonly do: 'all' | 'row'; readonly parts: readonly Plan[] };

const { plan } = fc.letrec<{ readonly plan: Plan; readonly one: Plan; readonly many: Plan }>((tie) => ({
  plan: fc.oneof({ maxDepth: 3, withCrossShrink: true }, tie('one'), tie('many')),
  one: fc.record({
    do: fc.constantFrom('ask', 'sample', 'roots', 'step', 'step', 'throwing'),
    id: fc.nat({ max: 4 }),
    isNamed: fc.boolean(),
  }),
  many: fc.record({ do: fc.constantFrom('all', 'row'), parts: fc.array(tie('plan'), { maxLength: 4 }) }),
}));

/** Runs a plan, and counts what each of its steps did. */
function handlerOf(root: Plan): { readonly handler: Handler; readonly effects: Map<string, number> } {
  const effects = new Map<string, number>();
  const run = async (part: Plan, ctx: ToolContext, path: string): Promise<unknown> => {
    if ('parts' in part) {
      const inner = (index: number, plan: Plan): Promise<unknown> =>
        run(plan, ctx, `${path}.${String(index)}`);
      if (part.do === 'all') return Promise.all(part.parts.map((plan, index) => inner(index, plan)));
      const values: unknown[] = [];
      for (const [index, plan] of part.parts.entries()) values.push(await inner(index, plan));
      return values;
    }
    const words = `question ${String(part.id)}`;
    const options = part.isNamed ? { name: path } : {};
    switch (part.do) {
      case 'ask':
        return ctx.ask(FORM, words, options);
      case 'sample':
        return (await ctx.sample(words, options)).text;
      case 'roots':
        return ctx.roots(options);
      case 'step':
        return ctx.step(path, async () => {
          if (part.id > 1) await nextTurn();
          effects.set(path, (effects.get(path) ?? 0) + 1);
          return { path, list: [part.id, null] };
        });
      case 'throwing':
        return ctx
          .step(path, () => Promise.reject(new RangeError(path)))
          .catch((error: unknown) => String(error));
    }
  };
  return { handler: (ctx) => run(root, ctx, 'at'), effects };
}

const right: Answering = ({ method, params }) => {
  if (method === 'roots/list') return { roots: [{ uri: 'file:///work' }] };
  const [word] = /question \d+/.exec(JSON.stringify(params)) ?? [''];
  if (method === 'elicitation/create') return { action: 'accept', content: { word } };
  return { role: 'assistant', model: 'm', content: { type: 'text', text: word } };
};

test('a call ends alike in every era, however its questions are answered, and does each step once', async () => {
  await fc.assert(
    fc.asyncProperty(
      plan,
      fc.array(fc.constantFrom('right', 'wrong', 'nothing'), { maxLength: 40 }),
      async (root, moods) => {
        const [in2026, in2025, replayed] = [handlerOf(root), handlerOf(root), handlerOf(root)];
        const left = [...moods];
        const refusals = new Map<string, number>();
        const moody: Answering = (question, name) => {
          const mood = left.shift();
          if (mood === 'nothing') return undefined;
          const refused = refusals.get(name) ?? 0;
          if (mood !== 'wrong' || refused >= 3) return right(question, name);
          refusals.set(name, refused + 1);
          return { nonsense: true };
        };
        const expected = await ask2025(in2025.handler, right);
        const { replayEngine, logger } = replayEngineFor();
        const { result } = await converse(replayEngine, in2026.handler, moody);
        expect(result.value).toEqual(expected);
        expect(in2026.effects).toEqual(in2025.effects);
        expect([...in2026.effects.values()].every((times) => times === 1)).toBe(true);
        expect(logger.records.filter(({ level }) => level !== 'info')).toEqual([]);

        const onRequest = (method: string, params: Readonly<Record<string, unknown>>): unknown =>
          right({ method, params }, '');
        const contextOf = createContextFactory();
        const again = await replayLocally(callOf({ client: ABLE, onRequest }), async (run) =>
          resultOf({ given: await replayed.handler(contextOf(undefined, run)) }),
        );
        expect(again).toEqual({ kind: 'result', value: { given: expected } });
        expect(replayed.effects).toEqual(in2025.effects);
      },
    ),
    { numRuns: tries(50, 300) },
  );
});
