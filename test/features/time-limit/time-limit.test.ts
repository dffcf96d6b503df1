import { afterAll, expect, test } from '@jest/globals';
import { CallContext } from '../../../src/call/call-context.ts';
import { limitContext, TimeLimit } from '../../../src/features/time-limit/time-limit.ts';
import type { ToolContext } from '../../../src/call/tool-context.ts';
import { createAskContracts } from '../../../src/runtime/tools/context-factory.ts';
import { LocalOrigin } from '../../../src/runtime/local-calls.ts';

class Ticket {
  static readonly kind = 'ticket';
}

interface Desk {
  desk: string;
  readonly Ticket: typeof Ticket;
  say(): string;
}

class DeskContext extends CallContext implements Desk {
  readonly Ticket = Ticket;
  #desk = 'front';

  get desk(): string {
    return this.#desk;
  }
  set desk(value: string) {
    this.#desk = value;
  }
  say(): string {
    return `at the ${this.#desk} desk`;
  }
}

const limit = new TimeLimit(60_000);
afterAll(() => {
  limit.end();
});

const limited = (context: DeskContext): ToolContext & Desk =>
  limitContext(context, limit) as ToolContext & Desk;
const deskContext = (): DeskContext => new DeskContext(new LocalOrigin('1', {}), createAskContracts());

test('a limited context gives the members of the context, also of a frozen one', () => {
  const fixed = deskContext();
  Object.freeze(Object.defineProperty(fixed, 'note', { value: 'fixed' }));
  const context = limited(fixed);
  expect(context.say()).toBe('at the front desk');
  expect((context as unknown as { note: string }).note).toBe('fixed');
  expect(context.signal.aborted).toBe(false);
  expect(context.Ticket.kind).toBe('ticket');
  expect('desk' in context && context instanceof DeskContext).toBe(true);
  expect(Object.keys(context)).toContain('Ticket');
});

test('what a handler sets on a limited context is set on the context', () => {
  const context = deskContext();
  limited(context).desk = 'back';
  expect(context.desk).toBe('back');
});
