import { IsInt, IsString, Min } from 'class-validator';
import { Action, Injectable, Module, OpenWorld, ReadOnly, ToolContext, ToolGroup } from 'toolwright';

class Article {
  @IsString() sku!: string;
}

class Delivery extends Article {
  @IsInt() @Min(1) count!: number;
}

/** The service behind the tools. */
@Injectable()
export class Stock {
  readonly #counts = new Map<string, number>();

  count(sku: string): number {
    return this.#counts.get(sku) ?? 0;
  }

  add(sku: string, count: number): void {
    this.#counts.set(sku, this.count(sku) + count);
  }
}

@ToolGroup({ name: 'stock', description: 'What is in stock' })
@OpenWorld(false)
class StockController {
  constructor(private readonly stock: Stock) {}

  @Action('Count an article')
  @ReadOnly()
  count({ sku }: Article): number {
    return this.stock.count(sku);
  }

  @Action('Take in a delivery')
  async receive({ sku, count }: Delivery, ctx: ToolContext): Promise<string> {
    await ctx.progress(1, 2, 'unpacked');
    this.stock.add(sku, count);
    return `${String(count)} × ${sku} received`;
  }
}

/** The tools; every server beside this file serves them. */
@Module({ controllers: [StockController], providers: [Stock] })
export class StockModule {}
