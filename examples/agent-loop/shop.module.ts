import { IsInt, IsOptional, IsString, Max, Min, MinLength } from 'class-validator';
import {
  Action,
  Destructive,
  Field,
  Injectable,
  Module,
  OpenWorld,
  ReadOnly,
  ToolError,
  ToolGroup,
} from 'toolwright';

class Search {
  @IsString() @MinLength(2) @Field('Part of the name') text!: string;
}

class Order {
  @IsString() @Field('As the search gave it') productId!: string;
  @IsInt() @Min(1) @Max(99) quantity!: number;
  @IsOptional() @IsString() @Field('To be printed on a card') greeting?: string;
}

@Injectable()
class Warehouse {
  readonly products = [
    { id: 'lamp-1', name: 'Desk lamp', cents: 4900 },
    { id: 'lamp-2', name: 'Floor lamp', cents: 12900 },
    { id: 'chair-1', name: 'Chair', cents: 8900 },
  ];
  readonly orders: { readonly productId: string; readonly quantity: number; readonly greeting?: string }[] =
    [];
}

@ToolGroup({ name: 'shop', description: 'Find and order furniture' })
@OpenWorld(false)
class ShopController {
  constructor(private readonly warehouse: Warehouse) {}

  @Action('Find products by their name')
  @ReadOnly()
  find({ text }: Search): object {
    const products = this.warehouse.products.filter(({ name }) => name.toLowerCase().includes(text));
    return { products };
  }

  @Action('Order a product')
  @Destructive()
  order({ productId, quantity, greeting }: Order): object {
    const product = this.warehouse.products.find(({ id }) => id === productId);
    if (product === undefined) throw new ToolError('NOT_FOUND', `There is no product "${productId}"`);
    this.warehouse.orders.push({ productId, quantity, ...(greeting === undefined ? {} : { greeting }) });
    return { total: product.cents * quantity };
  }
}

@Module({ controllers: [ShopController], providers: [Warehouse] })
export class ShopModule {}
