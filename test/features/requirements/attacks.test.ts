import { afterEach, expect, test } from '@jest/globals';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, ValidateNested } from 'class-validator';
import { Action, Module, Policy, Roles, ToolGroup, type Caller } from 'toolwright';
import {
  authInfoOf,
  createAppWithCallers,
  testVerifier,
  type AppWithCallers,
} from '../../support/callers.ts';

/** What policies tried to change and could not. */
const refused: unknown[] = [];
/** A policy that writes into what it is given, as a mistake may. */
function writes({ roles, scopes }: Caller): boolean {
  for (const list of [roles, scopes] as string[][]) {
    try {
      list.push('admin');
    } catch (error) {
      refused.push(error);
    }
  }
  return true;
}

class Step {
  @IsInt() amount!: number;
}
class Order {
  @IsInt() amount!: number;
  @IsOptional() @ValidateNested({ each: true }) @Type(() => Step) steps?: Step[];
  get half(): number {
    return this.amount / 2;
  }
}
/** What policies saw of the arguments. */
const seen: unknown[] = [];

@ToolGroup('bank')
class Bank {
  @Action() @Policy((_caller, order: Order) => (order.amount *= 1000) > 0) pay({ amount }: Order): string {
    seen.push('it ran');
    return `paid ${String(amount)}`;
  }
  @Action() @Policy((_caller, order: Order) => seen.push(order) > 0) look(order: Order): string {
    seen.push(order);
    order.amount += 1;
    return `seen ${String(order.amount)}`;
  }
  @Action() @Policy({ list: writes }) transfer(): string {
    return 'done';
  }
  @Action() @Roles('admin') audit(): string {
    return 'secret';
  }
  @Action() @Policy({ list: (() => 1) as never }) truthy(): string {
    return 'secret';
  }
  @Action() @Policy((() => 'yes') as never) truthyCall(): string {
    refused.push('it ran');
    return 'secret';
  }
}
@Module({ controllers: [Bank] })
class BankModule {}

const closing: AppWithCallers[] = [];
afterEach(async () => {
  refused.length = 0;
  for (const { app } of closing.splice(0)) await app.close();
});

function remembering() {
  const { extra, ...info } = authInfoOf({ sub: 'ada' });
  const remembered = Object.freeze({
    ...info,
    scopes: Object.freeze<string[]>([]),
    extra: Object.freeze({ ...extra, roles: Object.freeze(['guest']) }),
  });
  return { ...testVerifier, verify: () => remembered };
}

async function started() {
  // Remembers its tokens, so that the same frozen object comes with each request
  const app = await createAppWithCallers(BankModule, { verify: remembering(), policyTtl: 0 });
  closing.push(app);
  const call = async (args: object) =>
    JSON.stringify(await app.result({ sub: 'ada' }, 'tools/call', { name: 'bank', arguments: args }));
  return { app, call };
}

test('a policy that writes into a caller who is remembered gives nobody a role', async () => {
  const { call } = await started();
  for (let times = 0; times < 2; times += 1) {
    expect(await call({ action: 'transfer' })).toContain('done');
    expect(await call({ action: 'audit' })).toContain('UNKNOWN_ACTION');
  }
  expect(refused.every((error) => error instanceof TypeError)).toBe(true);
});

test('what is truthy, and not true, admits nobody', async () => {
  const { app, call } = await started();
  expect(JSON.stringify(await app.result({ sub: 'ada' }, 'tools/list'))).not.toContain('"truthy"');
  expect(await call({ action: 'truthy' })).toContain('UNKNOWN_ACTION');
  expect(await call({ action: 'truthyCall' })).toContain('FORBIDDEN');
  expect(refused).not.toContain('it ran');
});

test('a policy cannot change what the handler gets, and sees instances of its class', async () => {
  const { call } = await started();
  expect(await call({ action: 'pay', amount: 1 })).toContain('FORBIDDEN');
  expect(seen).toEqual([]);
  expect(await call({ action: 'look', amount: 4, steps: [{ amount: 2 }] })).toContain('seen 5');
  const [shown, given] = seen as readonly Order[];
  expect(shown).toBeInstanceOf(Order);
  expect(shown?.steps?.[0]).toBeInstanceOf(Step);
  expect([shown?.half, shown?.amount, given?.amount]).toEqual([2, 4, 5]);
  expect([shown, shown?.steps, shown?.steps?.[0]].every(Object.isFrozen)).toBe(true);
});
