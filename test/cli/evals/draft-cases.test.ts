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

test('cases of a saved session are what failed at last, on any surface, each once', () => {
  const failure = (error: object): object => ({
    result: { isError: true, _meta: { 'toolwright/error': { code: 'VALIDATION_FAILED', ...error } } },
  });
  const span = (params: object, ...answers: object[]): object => ({
    ...{ kind: 'request', method: 'tools/call', subject: 'x', at: 1, state: 'done' },
    messages: [
      { at: 1, direction: 'sent', message: { method: 'tools/call', params } },
      ...answers.map((message) => ({ at: 2, direction: 'received', message })),
    ],
  });
  const order = { tool: 'shop', action: 'order' };
  const spans = [
    { format: 'toolwright-session', version: 1 },
    span(
      { name: 'shop_write', arguments: { action: 'order', quantity: 1 } },
      failure({ code: 'CONSENT_REQUIRED' }),
      { result: {} },
    ),
    span({ name: 'shop_write', arguments: { action: 'order', quantity: 1 } }, failure(order)),
    // What another client called: the names of the surface are not the action
    span({ name: 'call_action', arguments: { quantity: 1 } }, failure(order)),
    span({ name: 'call_action', arguments: { action: 'shop.order', arguments: {} } }, failure({})),
    span({ name: 'find_actions', arguments: { query: 7 } }, failure({ tool: 'find_actions' })),
    span(
      { arguments: {} },
      failure({ code: 'UNKNOWN_ACTION', tool: 'shop', suggestion: 'list', availableActions: [] }),
    ),
    span({ name: 'shop', arguments: {} }, { error: { code: -32602 } }),
  ];
  const cases = casesFromLog(spans.map((each) => JSON.stringify(each)).join('\n'), app);
  expect(
    cases.map(({ ask, expect: [call] }) => [ask.replace('TODO what the person asked for; ', ''), call]),
  ).toEqual([
    [
      'the call of shop.order failed with VALIDATION_FAILED',
      { action: 'shop.order', input: { quantity: 1 } },
    ],
    ['the call of shop.order failed with VALIDATION_FAILED', { action: 'shop.order', input: {} }],
    [
      'the call of shop failed with UNKNOWN_ACTION (did you mean "shop.list"?)',
      { action: 'shop.list', input: {} },
    ],
    ['the call of shop failed with -32602 (no action has this name)', { action: 'shop.TODO', input: {} }],
  ]);
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
