import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { IsArray, IsBoolean, IsInt, IsObject, IsOptional, IsString, ArrayMinSize } from 'class-validator';
import {
  Action,
  Budget,
  content,
  image,
  Idempotent,
  Injectable,
  McpApplication,
  Module,
  Page,
  Prompt,
  structured,
  ToolGroup,
  type CallToolResult,
} from 'toolwright';
import { MemoryLogger } from '../support/fake-application.ts';

class Range {
  @IsInt() @IsOptional() from?: number;
  @IsInt() @IsOptional() count?: number;
}

class Numbers {
  @IsArray()
  @IsString({ each: true })
  @Page<string>({ cursor: (last) => Number(last.split(' ')[0]) + 1 })
  items!: string[];
  @IsInt() @IsOptional() nextCursor?: number;
  @IsInt() @IsOptional() total?: number;
  @IsBoolean() @IsOptional() truncated?: boolean;
}

class Pairs {
  @IsArray() @ArrayMinSize(2) @IsString({ each: true }) @Page() pairs!: string[];
}

class Linked {
  @IsString() @IsOptional() text?: string;
  @IsObject() @IsOptional() resourceLink?: object;
}

class Closed {
  @IsString() text!: string;
}

let runs = 0;

@ToolGroup('out')
@Budget({ bytes: 2048 })
class Outputs {
  @Action({ output: Numbers }) numbers({ from = 0, count = 100 }: Range): Numbers {
    const items = Array.from({ length: count }, (_, index) => `${String(from + index)} ${'é'.repeat(50)}`);
    return { items, nextCursor: from + count };
  }
  @Action({ output: Numbers }) shown({ count = 100 }: Range) {
    return structured(
      { items: Array.from({ length: count }, (_, index) => `${String(index)} number`) },
      'numbers',
    );
  }
  @Action({ output: Pairs }) pairs({ count = 900 }: Range): Pairs {
    return { pairs: ['a'.repeat(count), 'b'.repeat(count), 'c'] };
  }
  @Action({ output: Linked }) linked(): Linked {
    return { text: 'x'.repeat(3000) };
  }
  @Action({ output: Closed }) closed(input: Range): Closed {
    return { text: 'x'.repeat(input.count ?? 3000) };
  }
  @Action() text({ count = 3000 }: Range) {
    return '😀'.repeat(count);
  }
  @Action() picture() {
    return content('look', image('A'.repeat(4000), 'image/png'));
  }
  @Action() huge() {
    return 'y'.repeat(6 * 1024 * 1024);
  }
  @Action() failure() {
    return { content: [{ type: 'text', text: 'z'.repeat(5000) }], isError: true };
  }
  @Action() @Budget({ bytes: Infinity, tokens: 1000 }) tokens({ count = 3000 }: Range) {
    return 'a'.repeat(count);
  }
  @Action() @Idempotent({ key: 'idempotencyKey' }) once() {
    runs += 1;
    return `${String(runs)} ${'w'.repeat(5000)}`;
  }
}

@Module({ controllers: [Outputs] })
class AppModule {}

const logger = new MemoryLogger();
let app: McpApplication;
beforeAll(async () => {
  app = await McpApplication.create(AppModule, { logger });
});
afterAll(() => app.close());

const call = (action: string, args: object = {}): Promise<CallToolResult> =>
  app.call('out', { action, ...args });

/** As they are sent. */
function bytesOf({ content: blocks, structuredContent }: CallToolResult): number {
  return Buffer.byteLength(
    JSON.stringify(blocks) + (structuredContent ? JSON.stringify(structuredContent) : ''),
  );
}

function textOf({ content: [block] }: CallToolResult): string {
  return block?.type === 'text' ? block.text : '';
}

test('play', async () => {
  for (const a of [
    'numbers',
    'shown',
    'pairs',
    'linked',
    'closed',
    'text',
    'picture',
    'huge',
    'failure',
    'tokens',
  ]) {
    const r = await call(a);
    console.error(a, bytesOf(r), JSON.stringify(r).slice(0, 900), JSON.stringify(r).slice(-400));
  }
  console.error(logger.records);
});
