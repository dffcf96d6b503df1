import { Type } from 'class-transformer';
import {
  ArrayMinSize,
  IsArray,
  IsIn,
  IsInt,
  IsNumber,
  IsOptional,
  IsString,
  MaxLength,
  Min,
  MinLength,
  ValidateNested,
} from 'class-validator';

export class Item {
  @IsString() @MinLength(1) @MaxLength(40) sku!: string;
  @IsInt() @Min(1) quantity!: number;
  @IsNumber() @Min(0) price!: number;
}

/** What every server is called with: five fields, one of them an array of nested objects. */
export class Order {
  @IsInt() @Min(1) id!: number;
  @IsString() @MinLength(1) @MaxLength(100) customer!: string;
  @IsIn(['open', 'paid', 'sent']) status!: string;
  @IsOptional() @IsString() @MaxLength(500) note?: string;
  @IsArray() @ArrayMinSize(1) @ValidateNested({ each: true }) @Type(() => Item) items!: Item[];
}
