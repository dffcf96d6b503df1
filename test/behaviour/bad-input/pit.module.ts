import { Type } from 'class-transformer';
import { Allow, IsInt, IsOptional, IsString, ValidateNested } from 'class-validator';
import { Action, Injectable, Module, ToolContext, ToolGroup } from 'toolwright';

class Inner {
  @IsInt() count!: number;
}

class Thing {
  @IsString() text!: string;
  @Allow() anything?: unknown;
  @IsOptional() @ValidateNested() @Type(() => Inner) inner?: Inner;
}

/** What a log may have and a client may not. */
export const SECRET = 'hunter2';

@Injectable()
export class Waiting {
  readonly #listeners: (() => void)[] = [];
  started = 0;
  aborted = 0;

  tell(change: 'started' | 'aborted'): void {
    this[change] += 1;
    for (const listener of this.#listeners.splice(0)) listener();
  }

  async until(change: 'started' | 'aborted', times: number): Promise<void> {
    while (this[change] < times) await new Promise<void>((resolve) => this.#listeners.push(resolve));
  }
}

@ToolGroup('pit')
class PitTools {
  constructor(private readonly waiting: Waiting) {}

  @Action('Give back what came') echo(input: Thing): object {
    const { text, anything, inner } = input;
    return { text, anything, inner, isPolluted: 'polluted' in {}, isInstance: input instanceof Thing };
  }

  @Action() throwString(): void {
    // oxlint-disable-next-line typescript/only-throw-error -- what a handler may do
    throw 'only a string';
  }

  @Action() throwUndefined(): void {
    // oxlint-disable-next-line typescript/only-throw-error -- what a handler may do
    throw undefined;
  }

  @Action() throwSecret(): never {
    const error = new Error('The database is down', { cause: new Error(SECRET) });
    throw Object.assign(error, { code: SECRET, data: { password: SECRET }, stack: `at ${SECRET}.ts:1` });
  }

  @Action() async wait(ctx: ToolContext): Promise<string> {
    this.waiting.tell('started');
    await new Promise<void>((resolve) => {
      ctx.signal.addEventListener('abort', () => {
        resolve();
      });
    });
    this.waiting.tell('aborted');
    return 'nobody reads this';
  }
}

@Module({ controllers: [PitTools], providers: [Waiting] })
export class PitModule {}
