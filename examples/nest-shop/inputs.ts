import { Type } from 'class-transformer';
import { ArrayNotEmpty, IsEmail, IsIn, IsInt, IsOptional, IsString, Length, Max, Min } from 'class-validator';

export class FindProducts {
  @IsString() @IsOptional() text?: string;
  @IsInt() @Min(1) @Type(() => Number) @IsOptional() maxCents?: number;
}

export class NewProduct {
  @IsString() @Length(1, 60) name!: string;
  @IsInt() @Min(1) cents!: number;
}

export class ProductChanges {
  @IsString() @Length(1, 60) @IsOptional() name?: string;
  @IsInt() @Min(1) @IsOptional() cents?: number;
}

export class NewReview {
  @IsInt() @Min(1) @Max(5) stars!: number;
  @IsString() @Length(1, 500) text!: string;
}

export class FindOrders {
  @IsIn(['open', 'paid', 'cancelled']) @IsOptional() state?: 'open' | 'paid' | 'cancelled';
}

export class NewOrder {
  @IsInt() customerId!: number;
  @IsInt({ each: true }) @ArrayNotEmpty() productIds!: number[];
}

export class SearchOrders {
  @IsInt({ each: true }) @ArrayNotEmpty() productIds!: number[];
}

export class NewCustomer {
  @IsString() @Length(1, 60) name!: string;
  @IsEmail() email!: string;
}

export class CustomerChanges {
  @IsString() @Length(1, 60) @IsOptional() name?: string;
  @IsEmail() @IsOptional() email?: string;
}
