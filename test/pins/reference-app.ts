import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsDefined,
  IsEnum,
  IsIn,
  IsInt,
  IsISO8601,
  IsOptional,
  IsString,
  Length,
  Matches,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import { Action, Destructive, Field, Idempotent, Module, OpenWorld, ReadOnly, ToolGroup } from 'toolwright';

enum Size {
  Small = 'small',
  Large = 'large',
}

class Tenant {
  @IsString() @Field('Tenant to work for') tenant!: string;
  @IsBoolean() @IsOptional() verbose?: boolean;
}

class Address {
  @IsString() @Length(2, 2) @Matches(/^[A-Z]+$/) country!: string;
  @IsString() @IsOptional() @Field({ title: 'Street', examples: ['Main St 1'] }) street?: string;
}

class Line {
  @IsString() @Field('Article number') article!: string;
  @IsInt() @Min(1) @Max(99) count = 1;
}

class PlaceOrder {
  @IsArray() @ArrayMaxSize(20) @ValidateNested({ each: true }) @Type(() => Line) lines!: Line[];
  @IsDefined() @ValidateNested() @Type(() => Address) address!: Address;
  @IsEnum(Size) @Field('Size of the box') size: Size = Size.Small;
  @IsString({ each: true }) @IsArray() @IsOptional() labels?: string[];
}

class FindOrders {
  @IsIn(['open', 'sent']) @IsOptional() state?: string;
  @IsISO8601() @IsOptional() since?: string;
  @IsInt() @Min(1) max = 20;
}

class OrderReference {
  @IsInt() @Field('Number of the order') order!: number;
  @IsIn(['lost', 'sent']) @IsOptional() state?: string;
}

class Receipt {
  @IsInt() order!: number;
  @IsString({ each: true }) @IsArray() warnings!: string[];
}

@ToolGroup({
  name: 'shop',
  title: 'Shop',
  description: 'Run a shop.',
  common: Tenant,
  icons: [{ src: 'https://shop.example/icon.png', mimeType: 'image/png', sizes: ['48x48'] }],
  meta: { 'shop.example/team': 'orders' },
})
class ShopTools {}

@ToolGroup({ name: 'orders', description: 'What customers want', parent: ShopTools })
class OrderTools {
  @Action('Place an order') place(_input: PlaceOrder): void {}
  @Action('Find orders') @ReadOnly() find(_input: FindOrders): void {}
  @Action('Cancel an order') @Destructive() @Idempotent() cancel(_input: OrderReference): void {}
}

@ToolGroup({ name: 'parcels', parent: OrderTools, description: 'What was sent\nto them' })
class ParcelTools {
  @Action('Ask the carrier') @ReadOnly() @OpenWorld() track(_input: OrderReference): void {}
}

@ToolGroup({ name: 'stock', describe: 'toon', discriminator: 'operation' })
class StockTools {
  @Action('Count what is there') @ReadOnly() count(): void {}
  @Action({ description: 'Throw all away', name: 'write-off' }) @Destructive() writeOff(_input: Line): void {}
}

@ToolGroup({ name: 'bill', expose: 'flat', annotations: { title: 'Billing' } })
class BillTools {
  @Action({ description: 'Bill an order', title: 'Bill', output: Receipt })
  create({ order }: OrderReference): object {
    return { order, warnings: [] };
  }
  @Action() @ReadOnly() last(): void {}
}

/** A little of everything that shapes a definition; test/pins/tools-list.json is what clients get of it. */
@Module({ controllers: [ShopTools, OrderTools, ParcelTools, StockTools, BillTools] })
export class ShopModule {}
