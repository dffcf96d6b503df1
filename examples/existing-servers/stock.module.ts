import { IsInt, IsString, Min } from 'class-validator';
import { Action, Module, OpenWorld, ReadOnly, ToolContext, ToolGroup } from 'toolwright';

class Article {
  @IsString() sku!: string;
}

class Delivery extends Article {
  @IsInt() @Min(1) count!: number;
}

@ToolGroup({ name: 'stock', description: 'What is in stock' })
@OpenWorld(false)
class StockController {
  readonly #counts = new Map<string, number>();

  @Action('Count an article')
  @ReadOnly()
  count({ sku }: Article): number {
    return this.#counts.get(sku) ?? 0;
  }

  @Action('Take in a delivery')
  async receive({ sku, count }: Delivery, ctx: ToolContext): Promise<string> {
    await ctx.progress(1, 2, 'unpacked');
    this.#counts.set(sku, (this.#counts.get(sku) ?? 0) + count);
    return `${String(count)} × ${sku} received`;
  }
}

/** The tools; every server beside this file serves them. */
@Module({ controllers: [StockController] })
export class StockModule {}
