import { IsBoolean, IsIn, IsInt, IsNumber, IsString } from 'class-validator';
import type { ObjectSchema } from 'toolwright';

/** A form with a default of every primitive type (SEP-1034). */
export class Defaults {
  @IsString() name = 'John Doe';
  @IsInt() age = 30;
  @IsNumber() score = 95.5;
  @IsIn(['active', 'inactive', 'pending']) status = 'active';
  @IsBoolean() verified = true;
}

const OPTIONS = ['option1', 'option2', 'option3'];

function titled(kind: string) {
  return ['First', 'Second', 'Third'].map((number, index) => ({
    const: `value${String(index + 1)}`,
    title: `${number} ${kind}`,
  }));
}

/** Every way to list choices (SEP-1330); the one with `enumNames` is that of older clients. */
export const Choices: ObjectSchema = {
  type: 'object',
  properties: {
    untitledSingle: { type: 'string', enum: OPTIONS },
    titledSingle: { type: 'string', oneOf: titled('Option') },
    legacyEnum: {
      type: 'string',
      enum: ['opt1', 'opt2', 'opt3'],
      enumNames: ['Option One', 'Option Two', 'Option Three'],
    },
    untitledMulti: { type: 'array', items: { type: 'string', enum: OPTIONS } },
    titledMulti: { type: 'array', items: { anyOf: titled('Choice') } },
  },
};
