import { Type } from 'class-transformer';
import {
  ArrayMinSize,
  IsArray,
  IsEmail,
  IsIn,
  IsInt,
  IsISO8601,
  IsNumber,
  IsOptional,
  IsString,
  IsUUID,
  MaxLength,
  Min,
  MinLength,
  ValidateNested,
} from 'class-validator';

type Dto = new () => object;
type Rules = Readonly<Record<string, readonly PropertyDecorator[]>>;

/**
 * A class with native fields. The runner rewrites the fields of classes in files, which makes every instance
 * several times as slow, so this one is made of text.
 */
function dto(name: string, rules: Rules): Dto {
  const fields = Object.keys(rules).join('; ');
  // eslint-disable-next-line @typescript-eslint/no-implied-eval
  const type = (new Function(`return class ${name} { ${fields} };`) as () => Dto)();
  for (const [property, decorators] of Object.entries(rules)) {
    for (const decorate of decorators) decorate(type.prototype as object, property);
  }
  return type;
}

const Item = dto('Item', {
  sku: [IsString(), MinLength(1), MaxLength(40)],
  quantity: [IsInt(), Min(1)],
  price: [IsNumber(), Min(0)],
});

/** Five fields, one of them an array of nested objects. */
export const Order = dto('Order', {
  id: [IsInt(), Min(1)],
  customer: [IsString(), MinLength(1), MaxLength(100)],
  status: [IsIn(['open', 'paid', 'sent'])],
  note: [IsOptional(), IsString(), MaxLength(500)],
  items: [IsArray(), ArrayMinSize(1), ValidateNested({ each: true }), Type(() => Item)],
});

/** Formats, for which the original validators are called. */
export const Contact = dto('Contact', {
  id: [IsUUID()],
  email: [IsEmail()],
  since: [IsISO8601()],
});

export function order(): Record<string, unknown> {
  const items = [1, 2, 3].map((number) => ({
    sku: `sku-${String(number)}`,
    quantity: number,
    price: 9.5 * number,
  }));
  return { id: 7, customer: 'Ada Lovelace', status: 'open', note: 'ring twice', items };
}

export function contact(): Record<string, unknown> {
  return {
    id: 'b7b0d1c4-3a55-4d1c-9d6b-1d1f2b3c4d5e',
    email: 'ada@example.org',
    since: '2020-01-01T00:00:00Z',
  };
}
