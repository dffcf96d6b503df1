import { setTimeout as after } from 'node:timers/promises';
import { IsInt, IsString } from 'class-validator';
import {
  Action,
  Complete,
  Injectable,
  Input,
  McpApplication,
  Module,
  Prompt,
  Resource,
  ToolContext,
  ToolGroup,
} from 'toolwright';

class Sum {
  @IsInt() a!: number;
  @IsInt() b!: number;
}

class Topic {
  @IsString() topic!: string;
}

/** What handlers were called with while an attack lasts. */
export const told = { started: 0, aborted: 0, finished: 0 };

@ToolGroup({ name: 'desk', expose: 'flat', prefix: '' })
class Desk {
  @Action('Adds') add({ a, b }: Sum): string {
    return String(a + b);
  }
  @Action('Waits') async wait(ctx: ToolContext): Promise<string> {
    told.started += 1;
    await after(60, undefined, { signal: ctx.signal }).catch(() => (told.aborted += 1));
    told.finished += 1;
    return 'waited';
  }
  @Action('Fails') fail(): never {
    throw Object.assign(new Error('SECRET'), { code: -32021, data: { password: 'SECRET' } });
  }
  @Action('Fails with nothing') nothing(): never {
    // oxlint-disable-next-line typescript/only-throw-error -- users throw anything
    throw undefined;
  }
  @Action('Reports how far it is') async steps(ctx: ToolContext): Promise<string> {
    for (let step = 1; step <= 20; step += 1) await ctx.progress(step, 20);
    await ctx.log('told');
    return 'done';
  }
  @Action({ description: 'Works on', task: 'on-demand' }) async job(ctx: ToolContext): Promise<string> {
    await ctx.startTask();
    return 'done';
  }
}

@Injectable()
class Papers {
  @Prompt('Explains') explain({ topic }: Topic): string {
    return `Explain ${topic}`;
  }
  @Complete('explain', 'topic') topics(value: string): string[] {
    return [`${value}…`];
  }
  @Resource('papers://{id}') paper(@Input() { id }: Readonly<Record<string, string>>): string {
    if (id === 'broken') throw new Error('SECRET');
    return `paper ${String(id)}`;
  }
  @Resource('papers://index', { name: 'index' }) index(): string {
    return 'index';
  }
}

@Module({ controllers: [Desk, Papers] })
class DeskModule {}

export function createDesk(): Promise<McpApplication> {
  return McpApplication.create(DeskModule, { name: 'desk', logger: () => undefined, maskErrors: true });
}
