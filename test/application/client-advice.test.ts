import { expect, test } from '@jest/globals';
import { Expose, Transform } from 'class-transformer';
import { Allow, IsOptional, IsString } from 'class-validator';
import { Action, Field, McpApplication, Module, ToolGroup, type LogRecord } from 'toolwright';

class Query {
  @IsOptional() @IsString() $filter?: string;
  @Expose({ name: 'page.size' }) @IsOptional() @IsString() size?: string;
  @Allow() anything: unknown;
  @Allow() @Field({ type: 'string' }) said: unknown;
  @Transform(({ value }) => (value as unknown[]).length) @Allow() odd: unknown;
}

@ToolGroup({ name: 'odata', expose: 'flat' })
class ODataTools {
  @Action() list(query: Query): string[] {
    return Object.keys(query);
  }
  @Action() anActionWhoseNameIsSoLongThatManyClientsWillNotTakeItAsATool(): void {}
}

@ToolGroup()
class E {
  @Action() go(): void {}
}

@Module({ controllers: [ODataTools, E] })
class DataModule {}

test('says what known clients refuse, each with its place, at the start and as advice', async () => {
  const records: LogRecord[] = [];
  const app = await McpApplication.create(DataModule, { logger: (record) => void records.push(record) });
  const advice = app.advice();
  await app.close();
  expect(advice.map(({ code, where, what }) => `${code} ${where} ${what}`)).toEqual([
    'TW_ADVICE_PROPERTY_NAME tool "odata_list" "/properties/$filter" has other characters than letters from A to Z, digits, "_", "-" and ".".',
    'TW_ADVICE_UNTYPED tool "odata_list" "/properties/anything" is published without a type; "/properties/odd" is published without a type.',
    expect.stringMatching(
      /^TW_ADVICE_TOOL_NAME tool "odata_anAction.* is a name of \d\d characters, and 64 are taken\.$/,
    ),
    'TW_ADVICE_MINIFIED E is listed as the tool "e", after a class whose name looks like one of a minifier.',
  ]);
  expect(advice.every(({ fix }) => fix !== '')).toBe(true);
  const told = records.filter(({ event }) => event === 'schema.client');
  expect(told.map(({ level, code }) => [level, code])).toEqual([
    ['notice', 'TW_ADVICE_PROPERTY_NAME'],
    ['notice', 'TW_ADVICE_UNTYPED'],
    ['notice', 'TW_ADVICE_TOOL_NAME'],
  ]);
});
