import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { emitJsonSchema } from '../../../src/dto/schema/emit-json-schema.ts';
import { readShape } from '../../../src/dto/shape/read-shape.ts';
import type { Class } from '../../../src/shared/class-type.ts';
import type { JsonSchema } from '../../../src/shared/json-schema.ts';

export function emit(type: Class): ReturnType<typeof emitJsonSchema> {
  return emitJsonSchema(readShape(type), 'strict');
}

export function field(type: Class, name: string): JsonSchema | undefined {
  return emit(type).schema.properties?.[name];
}

const ajv = new Ajv2020({ strict: false });
ajvFormats.default(ajv);

export function accepts(type: Class): (value: unknown) => boolean {
  const validate = ajv.compile(emit(type).schema);
  return (value) => validate(value);
}
