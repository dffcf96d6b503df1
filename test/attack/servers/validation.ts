/** Tools whose own code is fast: whatever takes time is the check of their arguments. */
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayUnique,
  IsArray,
  IsDefined,
  IsString,
  Matches,
  MaxLength,
  ValidateNested,
} from 'class-validator';
import { Action, McpApplication, Module, ToolGroup, type Class, type SchemaSource } from 'toolwright';
import { z } from 'zod';
import { serveAttacked } from '../serve-attacked.ts';

class Leaf {
  @IsString()
  id!: string;
}

class ShortTexts {
  @IsArray()
  @IsString({ each: true })
  @MaxLength(5, { each: true })
  items!: string[];
}

class FewLeaves {
  @IsArray()
  @ArrayMaxSize(3)
  @ValidateNested({ each: true })
  @Type(() => Leaf)
  items!: Leaf[];
}

class FewTexts {
  @IsArray()
  @ArrayMaxSize(3)
  @IsString({ each: true })
  items!: string[];
}

class Leaves {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => Leaf)
  items!: Leaf[];

  @IsString()
  title!: string;
}

class Unique {
  @IsArray()
  @ArrayUnique()
  items!: number[];
}

class UniqueById {
  @IsArray()
  @ArrayUnique((item: { readonly id: number }) => item.id)
  items!: object[];
}

class Matching {
  @IsDefined()
  @Matches(/^(a+)+$/)
  text!: string;
}

class ShortMatching {
  @MaxLength(10)
  @Matches(/^(a|aa)+$/)
  text!: string;
}

const object = (properties: object, more: object = {}): SchemaSource =>
  ({ type: 'object', properties, ...more }) as SchemaSource;
const leaf = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] };

/** The name of a tool → what its arguments are checked with. */
const INPUTS: Readonly<Record<string, SchemaSource>> = {
  'dto-short-texts': ShortTexts,
  'dto-few-leaves': FewLeaves,
  'dto-few-texts': FewTexts,
  'dto-leaves': Leaves,
  'dto-unique': Unique,
  'dto-unique-by': UniqueById,
  'dto-matches': Matching,
  'dto-short-matches': ShortMatching,
  'json-leaves': object({ items: { type: 'array', items: leaf } }),
  'json-unique': object({ items: { type: 'array', uniqueItems: true } }),
  'json-url': object({ text: { type: 'string', format: 'url' } }),
  'json-pattern': object({ text: { type: 'string', pattern: '^(\\w+\\s?)*$' } }),
  'json-pattern-names': object({}, { patternProperties: { '^(a+)+$': { type: 'string' } } }),
  'zod-texts': z.object({ items: z.array(z.string()) }),
};

function toolOf([name, input]: readonly [string, SchemaSource]): Class {
  @ToolGroup(name)
  class Tool {
    @Action({ input })
    run(_input: object): string {
      return 'done';
    }
  }
  return Tool;
}

@Module({ controllers: Object.entries(INPUTS).map(toolOf) })
class Attacked {}
await serveAttacked(await McpApplication.create(Attacked, { expose: 'flat' }));
