/** What fails at length: everything that an answer which is an error may be made of. */
import { IsArray, IsIn, IsInt, IsObject, IsOptional, IsString, MaxLength } from 'class-validator';
import {
  Action,
  Complete,
  error,
  Input,
  McpApplication,
  Module,
  Prompt,
  ProtocolError,
  Resource,
  ToolContext,
  ToolError,
  ToolGroup,
  type CallToolResult,
} from 'toolwright';
import { serveAttacked } from '../serve-attacked.ts';

const MANY = Array.from({ length: 10_000 }, (_, index) => `value-${String(index)}`);
const LONG = '\u0000"ä'.repeat(500_000);
const LARGE = Object.fromEntries(MANY.map((name) => [name, LONG.slice(0, 100)]));
const each = { each: true };

class Page {
  @IsArray() @IsIn(MANY, each) items!: string[];
  @IsInt() total!: number;
}
class Letter {
  @IsString() @MaxLength(5) to!: string;
  @IsOptional() @IsIn(MANY) from?: string;
}
class Free {
  @IsOptional() @IsObject() data?: Record<string, unknown>;
  @IsOptional() @IsString() text?: string;
}
const contents = (count: number): CallToolResult['content'] =>
  Array.from({ length: count }, () => ({ type: 'text', text: LONG.slice(0, 1000) }));

@ToolGroup('bad')
class Bad {
  @Action({ description: 'Breaks its output', output: Page }) output(): object {
    return { items: Array.from({ length: 20_000 }, (_, index) => `${String(index)}${LONG.slice(0, 50)}`) };
  }
  @Action({ description: 'Breaks its output with unknown members', output: Page }) members(): object {
    return { ...LARGE, items: [], total: 'x' };
  }
  @Action('Throws') throws(): never {
    throw new Error(LONG, { cause: new Error(LONG) });
  }
  @Action('Throws no error') object(): never {
    // oxlint-disable-next-line typescript/only-throw-error -- what users throw
    throw LARGE;
  }
  @Action('Throws many') many(): never {
    throw new AggregateError(
      MANY.map((name) => new Error(`${name}${LONG.slice(0, 50)}`)),
      LONG,
    );
  }
  @Action('Declares') declares(): never {
    throw new ToolError(LONG, LONG, { suggestion: LONG, details: LARGE });
  }
  @Action('Breaks the protocol') protocol(): never {
    throw new ProtocolError(-32602, LONG, LARGE);
  }
  @Action('Returns an error') returns(): CallToolResult {
    return error(LONG);
  }
  @Action('Writes an error') writes(): CallToolResult {
    return { content: contents(2000), structuredContent: LARGE, _meta: LARGE, isError: true };
  }
  @Action('Writes a small error with a large _meta') meta(): CallToolResult {
    return { content: contents(1), _meta: LARGE, isError: true };
  }
  @Action('Writes an image as an error') image(): CallToolResult {
    return {
      content: [{ type: 'image', data: 'A'.repeat(4_000_000), mimeType: 'image/png' }],
      isError: true,
    };
  }
  @Action('Gives wrong content') content(): CallToolResult {
    return { content: MANY.map((name) => ({ type: name, text: LONG.slice(0, 50) })) } as never;
  }
  @Action('Takes anything') takes(_input: Free): string {
    return 'done';
  }
  @Action('Asks') async asks(ctx: ToolContext): Promise<string> {
    return (await ctx.ask(Letter, 'Whom?')).action;
  }
  @Action('Asks at length') async asks_long(ctx: ToolContext): Promise<string> {
    return (await ctx.ask(Letter, LONG)).action;
  }
  @Action({ description: 'Fails later', task: 'required' }) later(_input: Free): never {
    throw new ToolError('NO', LONG, { details: LARGE });
  }
  @Prompt('Throws') prompt_throws(): never {
    throw new Error(LONG);
  }
  @Prompt('Breaks the protocol') prompt_protocol(): never {
    throw new ProtocolError(-32602, LONG, LARGE);
  }
  @Prompt('Declares') prompt_declares(): never {
    throw new ToolError('NO', LONG, { suggestion: LONG, details: LARGE });
  }
  @Prompt('Gives what no prompt gives') prompt_wrong(): never {
    return MANY.map((name) => ({ role: name, content: LONG.slice(0, 50) })) as never;
  }
  @Prompt('Writes') letter(input: Letter): string {
    return input.to;
  }
  @Complete('letter', 'to') complete(): never {
    throw new ToolError('NO', LONG, { details: LARGE });
  }
  @Complete('letter', 'from') completeWrong(): never {
    return LARGE as never;
  }
  @Resource('bad://throws') resource_throws(): never {
    throw new Error(LONG);
  }
  @Resource('bad://protocol') resource_protocol(): never {
    throw new ProtocolError(-32002, LONG, LARGE);
  }
  @Resource('bad://wrong') resource_wrong(): never {
    return MANY.map((name) => ({ [name]: LONG.slice(0, 50) })) as never;
  }
  @Resource('letter://{to}{?from}', { name: 'letters' }) resource(@Input() input: Letter): string {
    return input.to;
  }
}
const names = MANY.slice(0, 500).map((name) => `${name}-${'x'.repeat(40)}`);
@ToolGroup({ name: 'crowd', expose: 'grouped' })
class Crowd {}
for (const name of names) {
  const run = { value: (): string => 'done', writable: true, configurable: true };
  Object.defineProperty(Crowd.prototype, name, run);
  Action({ name, description: name })(Crowd.prototype, name, run as never);
}

@Module({ controllers: [Bad, Crowd] })
class Amplified {}
await serveAttacked(
  await McpApplication.create(Amplified, {
    maskErrors: process.env['MASKED'] !== undefined,
    secrets: ['k'.repeat(32)],
  }),
  { sessions: process.env['SESSIONS'] !== undefined },
);
