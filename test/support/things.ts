import { IsInt, IsOptional } from 'class-validator';
import {
  Action,
  Destructive,
  Idempotent,
  Module,
  ReadOnly,
  Scopes,
  ToolContext,
  ToolGroup,
} from 'toolwright';

class Thing {
  @IsInt() id!: number;
  @IsOptional() @IsInt() copies = 1;
}
class Sure {
  @IsInt() count!: number;
}

/** What the handlers did. */
export const ran: string[] = [];
/** What `delete` waits for. */
export const hooks: { during: (ctx: ToolContext) => unknown } = { during: () => undefined };

class Base {
  @Action() @Destructive({ confirm: true }) inherited(): string {
    return 'inherited';
  }
  @Action() @Destructive({ confirm: true }) safe(): string {
    return 'safe';
  }
}

@ToolGroup('things')
class Things extends Base {
  @Action() @Destructive({ confirm: true }) async delete(input: Thing, ctx: ToolContext): Promise<string> {
    ran.push(`delete ${String(input.id)}`);
    await hooks.during(ctx);
    return Object.isFrozen(input) ? 'deleted' : 'not frozen';
  }
  @Action() @Destructive({ confirm: true }) purge({ id }: Thing): string {
    ran.push(`purge ${String(id)}`);
    return 'purged';
  }
  @Action() @Destructive({ confirm: true }) async count(_input: Thing, ctx: ToolContext): Promise<string> {
    const answer = await ctx.ask(Sure, 'How many?');
    ran.push('count');
    return answer.action === 'accept' ? String(answer.content.count) : answer.action;
  }
  @Action() @Destructive({ confirm: true }) @Idempotent({ key: 'arguments' }) once({ id }: Thing): string {
    ran.push(`once ${String(id)}`);
    return 'once';
  }
  @Action() @Destructive({ confirm: true }) @Scopes('things:wipe') wipe(): string {
    ran.push('wipe');
    return 'wiped';
  }
  @Action() @Destructive() plain(): string {
    return 'plain';
  }
  @Action() override inherited(): string {
    return 'overridden';
  }
  @Action() @ReadOnly() override safe(): string {
    return 'safe';
  }
}
@Module({ controllers: [Things] })
export class ThingsModule {}
