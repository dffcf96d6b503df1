import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ArrayMinSize, IsIn, IsInt, IsString, Min } from 'class-validator';
import { Action, McpApplication, Module, ToolGroup } from 'toolwright';
import { casesFromLog, draftCases } from '../../../src/cli/evals/draft-cases.ts';
import { runEvals } from '../../../src/evals/index.ts';

class Order {
  @IsString() product!: string;
  @IsInt() @Min(2) quantity!: number;
  @IsIn(['red', 'blue']) colour!: string;
  @IsString({ each: true }) @ArrayMinSize(1) labels!: string[];
}

@ToolGroup('shop')
class Shop {
  @Action('Order a product') order({ quantity }: Order) {
    return quantity;
  }
  @Action('List all orders') list() {
    return [];
  }
}

@Module({ controllers: [Shop] })
class ShopModule {}

const open = (): Promise<McpApplication> => McpApplication.create(ShopModule);
let app: McpApplication;
beforeAll(async () => {
  app = await open();
});
afterAll(() => app.close());

test('drafts have a case for each action whose input is accepted, and one where nothing is called', async () => {
  const cases = draftCases(app);
  expect(cases.map(({ name }) => name)).toEqual(['shop.order', 'shop.list', 'nothing to call 1']);
  const input = { product: 'TODO', quantity: 2, colour: 'red', labels: ['TODO'] };
  expect(cases[0]).toMatchObject({ expect: [{ action: 'shop.order', input }] });
  expect((await runEvals(open, cases)).metrics.done).toMatchObject({ passed: 3, of: 3 });
});

test('cases of a log are its failed calls, without what was masked', () => {
  const call = (args: object): object => ({
    method: 'tools/call',
    params: { name: 'shop', arguments: args },
  });
  const lines = [
    { type: 'traffic', tool: 'shop', action: 'list', isError: false, request: call({ action: 'list' }) },
    {
      ...{ type: 'traffic', tool: 'shop', action: 'order', isError: true, code: 'VALIDATION_FAILED' },
      request: call({ action: 'order', quantity: 'two', product: '[redacted]', labels: ['a', '[redacted]'] }),
    },
    { event: 'call.failed', tool: 'shop_list', code: 'TIMED_OUT' },
    'not a record',
  ];
  const cases = casesFromLog(lines.map((line) => JSON.stringify(line)).join('\n'), app);
  expect(cases).toMatchObject([
    {
      expect: [{ action: 'shop.order', input: { quantity: 'two', labels: ['a'] } }],
      tags: ['production', 'VALIDATION_FAILED'],
    },
    { expect: [{ action: 'shop.list', input: {} }], tags: ['production', 'TIMED_OUT'] },
  ]);
  expect(JSON.stringify(cases)).not.toContain('redacted');
});
