import { IsString } from 'class-validator';
import {
  Action,
  Destructive,
  Idempotent,
  Injectable,
  Module,
  ReadOnly,
  ToolContext,
  ToolError,
  ToolGroup,
} from 'toolwright';

class Label {
  @IsString() label!: string;
}

class Consent {
  @IsString() word!: string;
}

/** Where tests see what has been done, and hold it. */
@Injectable()
export class Workshop {
  readonly done: string[] = [];
  onEffect: (what: string) => void = () => undefined;
  /** Waits as long as the test wants. */
  hold: (place: string, signal: AbortSignal) => Promise<void> = async () => undefined;
}

/** Actions that other processes run. */
@ToolGroup({ name: 'reports', expose: 'flat' })
export class ReportTools {
  constructor(private readonly workshop: Workshop) {}

  @Action({ description: 'Write a report', task: { queue: 'reports' } })
  @ReadOnly()
  async write({ label }: Label, ctx: ToolContext) {
    await ctx.progress(1, 2, `Reading ${label}`);
    await this.workshop.hold(`write ${label}`, ctx.signal);
    this.#effect(`write ${label}`);
    return `${label} by ${ctx.authInfo?.clientId ?? 'nobody'}`;
  }

  @Action({ description: 'Send it in steps', task: { queue: 'reports' } })
  async send({ label }: Label, ctx: ToolContext) {
    const first = await ctx.step('render', () => this.#effect(`render ${label}`));
    await this.workshop.hold(`send ${label}`, ctx.signal);
    const second = await ctx.step('post', () => this.#effect(`post ${label}`));
    return `${first}, ${second}`;
  }

  @Action({ description: 'Delete it', task: { queue: 'reports' } })
  @Destructive()
  async remove({ label }: Label, ctx: ToolContext) {
    this.#effect(`remove ${label}`);
    await this.workshop.hold(`remove ${label}`, ctx.signal);
    return `removed ${label}`;
  }

  @Action({ description: 'Pay once', task: { queue: 'payments' } })
  @Idempotent({ key: 'idempotencyKey' })
  async pay({ label }: Label, ctx: ToolContext) {
    this.#effect(`pay ${label}`);
    await this.workshop.hold(`pay ${label}`, ctx.signal);
    return `paid ${label}`;
  }

  @Action({ description: 'Ask for a word', task: { queue: 'reports' } })
  @Idempotent()
  async ask({ label }: Label, ctx: ToolContext) {
    const answer = await ctx.ask(Consent, `A word for ${label}?`, { name: 'word' });
    if (answer.action !== 'accept') throw new ToolError('NO_WORD', 'Nobody said anything');
    await this.workshop.hold(`ask ${label}`, ctx.signal);
    return `${label}: ${answer.content.word}`;
  }

  #effect(what: string): string {
    this.workshop.done.push(what);
    this.workshop.onEffect(what);
    return `${what} done`;
  }
}

@Module({ controllers: [ReportTools], providers: [Workshop] })
export class QueueModule {}
