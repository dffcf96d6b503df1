import { Type } from 'class-transformer';
import {
  IsArray,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Min,
  MinLength,
  ValidateNested,
} from 'class-validator';

export class Port {
  @IsInt() @Min(1) number!: number;
}

/** Nested fields, lists, a default and an open object. */
export class Server {
  @IsString() @MinLength(2) host!: string;
  @IsArray() @IsInt({ each: true }) ports: number[] = [80];
  @IsOptional() @IsArray() @ValidateNested({ each: true }) @Type(() => Port) open?: Port[];
  @IsOptional() @ValidateNested() main?: Port;
  @IsOptional() @IsObject() labels?: Record<string, unknown>;
}
