import type { Retry } from '../../../src/call/request-context.ts';
import type { ToolContext } from '../../../src/call/tool-context.ts';
import { InMemoryStore } from '../../../src/runtime/store/memory-store.ts';
import { replayEngineFor, questionsOf, request, type Handler } from './drive.ts';

export const FORM = { type: 'object', properties: { name: { type: 'string' } } } as const;
export const named = (name: string) => ({ action: 'accept', content: { name } });
const SECRETS = ['shared'.repeat(6)];

/** Two instances of one server, and a handler that was asked on the first one. */
export async function asked(handler: Handler) {
  const store = new InMemoryStore();
  const [first, second] = [
    replayEngineFor({ secrets: SECRETS, store }),
    replayEngineFor({ secrets: SECRETS, store }),
  ];
  const { state, names } = questionsOf(await request(first.replayEngine, handler));
  const retry = (name: string): Retry => ({
    requestState: state,
    inputResponses: { [String(names[0])]: named(name) },
  });
  return { first, second, retry };
}

/** Greets the person who answers, and counts how often. */
export function greeter(before: (ctx: ToolContext) => Promise<unknown> = () => Promise.resolve()) {
  const greeted: string[] = [];
  const handler: Handler = async (ctx) => {
    const answer = await ctx.ask<{ readonly name: string }>(FORM, 'Who?');
    await before(ctx);
    const name = answer.action === 'accept' ? answer.content.name : answer.action;
    greeted.push(name);
    return `Hello, ${name}, number ${String(greeted.length)}`;
  };
  return { handler, greeted };
}
